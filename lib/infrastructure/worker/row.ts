/** Works on one claimed row and writes the outcome. */
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { describeError, log } from '@/lib/kernel/log'
import { type ClaimedRow, deleteDone, type FailedOutcome, type Outcome, ownClaim, renewClaim } from './claim'
import type { Job, Plan } from './plan'
import { whileRenewed } from './renew'

type Jobs = Plan['jobs']

function jobOf(jobs: Jobs, { kind }: ClaimedRow): Job<OutboxKind> {
  const job = jobs[kind]
  if (!job) throw new Error(`no job for rows of the kind ${kind}`)
  return job as Job<OutboxKind>
}

/** Runs the job of a row. Returns whether it is done. A postponed job does not count as an attempt. */
export async function workOn(jobs: Jobs, row: ClaimedRow): Promise<boolean> {
  const outcome = await whileRenewed(
    (now) => renewClaim(row, now),
    () => attempt(jobs, row),
  )
  if (outcome instanceof Postponed) await postpone(row, outcome)
  else await finish(jobs, row, outcome, readClock())
  return outcome === 'done'
}

async function attempt(jobs: Jobs, row: ClaimedRow): Promise<Outcome | Postponed> {
  try {
    await jobOf(jobs, row).run(row.payload as never, readClock(), row.attempts)
    return 'done'
  } catch (error) {
    return error instanceof Postponed ? error : failed(jobs, row, error)
  }
}

function failed(jobs: Jobs, row: ClaimedRow, error: unknown): FailedOutcome {
  const wait = jobs[row.kind]?.retries[row.attempts - 1]
  log().warn(
    { outbox: Number(row.id), kind: row.kind, attempt: row.attempts, error: describeError(error) },
    'delivery failed',
  )
  return {
    error: error instanceof Error ? error.message.slice(0, 500) : String(error),
    dueAt: wait === undefined ? null : secondsAfter(readClock(), wait),
  }
}

async function postpone(row: ClaimedRow, { until, payload }: Postponed): Promise<void> {
  await db().outbox.updateMany({
    where: ownClaim(row),
    data: {
      claimedUntil: null,
      dueAt: until,
      attempts: row.attempts - 1,
      ...(payload === undefined ? {} : { payload }),
    },
  })
}

/** Success removes the row. Failure delays the row or, after the last attempt, keeps it as failed. */
async function finish(jobs: Jobs, row: ClaimedRow, outcome: Outcome, now: Date): Promise<void> {
  if (row.finish) return row.finish(outcome, now)
  if (outcome === 'done') return deleteDone(row)
  const { error, dueAt } = outcome
  await transaction(async (tx) => {
    const { count } = await tx.outbox.updateMany({
      where: ownClaim(row),
      data: { claimedUntil: null, lastError: error, ...(dueAt === null ? { failedAt: now } : { dueAt }) },
    })
    if (dueAt === null && count === 1) await jobOf(jobs, row).giveUp?.(tx, row.payload as never, now)
  })
}
