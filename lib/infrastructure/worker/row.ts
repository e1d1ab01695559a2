/** Works on one claimed row and writes the outcome. */

import { db } from '@/lib/db/client'
import { describeFailure } from '@/lib/db/full-disk'
import { transaction } from '@/lib/db/transaction'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { NotDelivered } from '@/lib/infrastructure/mail/not-delivered'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { log } from '@/lib/kernel/log'
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

/** Seconds after the first failed attempt until a row counts as late (contract G). A refused recipient is no fault of the service. */
const lateSeconds: Record<NotDelivered['refusal'], number | null> = {
  provider: 60,
  deferred: 20 * 60,
  refused: null,
  doubtful: null,
}
/** Some servers refuse for ever what they would accept a moment later. */
const refusalsMax = 2

function failed(jobs: Jobs, row: ClaimedRow, error: unknown): FailedOutcome {
  const now = readClock()
  const about = { outbox: Number(row.id), kind: row.kind, attempt: row.attempts }
  const refusal = error instanceof NotDelivered ? error.refusal : null
  const isRefused = refusal === 'refused' && row.attempts >= refusalsMax
  const wait = isRefused ? undefined : jobs[row.kind]?.retries[row.attempts - 1]
  const late = lateSeconds[refusal ?? 'provider']
  const message = error instanceof Error ? error.message.slice(0, 500) : String(error)
  // The sender of messages has logged the state of its server, in one line for many rows.
  if (refusal === null) log().warn({ ...about, error: describeFailure(error) }, 'delivery failed')
  if (wait === undefined) log().warn({ ...about, error: message }, 'delivery given up')
  return {
    error: message,
    dueAt: wait === undefined ? null : secondsAfter(now, wait),
    lateAt: late === null ? null : secondsAfter(now, late),
  }
}

async function postpone(row: ClaimedRow, { until, payload }: Postponed): Promise<void> {
  await db().outbox.updateMany({
    where: ownClaim(row),
    data: {
      claimedUntil: null,
      dueAt: until,
      attempts: row.attempts - 1,
      lateAt: null,
      ...(payload === undefined ? {} : { payload }),
    },
  })
}

/** Success removes the row. Failure delays the row or, after the last attempt, keeps it as failed. */
async function finish(jobs: Jobs, row: ClaimedRow, outcome: Outcome, now: Date): Promise<void> {
  if (row.finish) return row.finish(outcome, now)
  if (outcome === 'done') return deleteDone(row)
  const { error, dueAt, lateAt } = outcome
  const { id, attempts, claimedUntil } = ownClaim(row)
  await transaction(async (tx) => {
    const count = await tx.run`
      UPDATE "Outbox" SET "claimedUntil" = NULL, "lastError" = ${error}, "dueAt" = COALESCE(${dueAt}::timestamptz, "dueAt"),
        "failedAt" = ${dueAt === null ? now : null}::timestamptz, "lateAt" = LEAST("lateAt", ${lateAt}::timestamptz)
      WHERE "id" = ${id} AND "attempts" = ${attempts} AND "claimedUntil" = ANY(${claimedUntil.in}::timestamptz[])`
    if (dueAt === null && count === 1) await jobOf(jobs, row).giveUp?.(tx, row.payload as never, now)
  })
}
