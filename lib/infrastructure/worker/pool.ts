/** Works on one claimed row and writes the outcome. */

import { database, db } from '@/lib/db/client'
import { describeFailure } from '@/lib/db/full-disk'
import { measuredTime } from '@/lib/db/service-clock'
import { transaction } from '@/lib/db/transaction'
import { onHandedOver } from '@/lib/infrastructure/events/handover'
import { type OutboxKind, onEnqueued, Postponed, wakeOtherWorkers } from '@/lib/infrastructure/events/outbox'
import { NotDelivered } from '@/lib/infrastructure/mail/not-delivered'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import {
  type ClaimedRow,
  claimDue,
  claimSeconds,
  deleteDone,
  type FailedOutcome,
  type Outcome,
  ownClaim,
  renewClaim,
} from './claim'
import { type Loop, loop } from './loop'
import type { DuePool, Job, Plan, Pool } from './plan'
import { renewSeconds, whileRenewed } from './renew'

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

/** Seconds after the first failed attempt until a row counts as late. A refused recipient is no fault of the service. */
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

async function claim(pool: Pool, free: number): Promise<ClaimedRow[]> {
  const now = await measuredTime(database)
  return pool.claim ? pool.claim(free, pool.places, now) : claimDue(pool.kinds, free, now)
}

/**
 * Works on a row that was claimed when it was inserted. Its transaction may have waited for locks: then the claim is renewed first, and a row
 * that others may have claimed is left to them. Returns false when the row must be tried later.
 */
async function workOnHanded(jobs: Plan['jobs'], row: ClaimedRow): Promise<boolean> {
  const now = readClock()
  const isFresh = row.claimedUntil > secondsAfter(now, claimSeconds - renewSeconds)
  try {
    if (!isFresh && !(await renewClaim(row, now))) return true
  } catch (error) {
    log().warn({ outbox: Number(row.id), error: describeFailure(error) }, 'claim not renewed')
    return true
  }
  return workOn(jobs, row)
}

/** Waits until all works have ended, also after an error. Then throws the first error, so that no work goes on afterwards. */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Works on everything that is due in a pool. Returns the number of rows. */
export async function drain(jobs: Plan['jobs'], pool: Pool): Promise<number> {
  let done = 0
  for (;;) {
    const rows = await claim(pool, pool.places)
    if (rows.length === 0) return done
    await allEnded(rows.map((row) => workOn(jobs, row)))
    done += rows.length
  }
}

/** Starts a pool. `onDelayed` is called when a row must be tried later. Stopping the pool waits for the rows in work. */
export function startPool(jobs: Plan['jobs'], pool: Pool, onDelayed: () => void): DuePool & Loop {
  const busy = new Set<Promise<void>>()
  // Whether a row that ends makes place for another: the last claim found no place, or not enough. Pools with a claim of their own also
  // have places for each host or account.
  let isBehind = false
  // Whether rows wait that were inserted before: new ones do not overtake them.
  let hasBacklog = false
  const start = (row: ClaimedRow, run = workOn) => {
    const work = run(jobs, row)
      .then((isDone) => {
        if (!isDone) onDelayed()
      })
      .catch((error: unknown) =>
        log().warn({ outbox: Number(row.id), error: describeFailure(error) }, 'outcome not written'),
      )
      .finally(() => {
        busy.delete(work)
        if (isBehind) running.turn()
      })
    busy.add(work)
  }
  // Does not wait for the rows: a receiver that hangs occupies its own place only.
  const running = loop(pool.name, null, async () => {
    const free = pool.places - busy.size
    isBehind = true
    if (free <= 0) {
      hasBacklog = true
      if (!pool.claim) wakeOtherWorkers(pool.kinds)
      return
    }
    const rows = await claim(pool, free)
    hasBacklog = rows.length === free
    isBehind = hasBacklog || pool.claim !== undefined
    for (const row of rows) start(row)
    if (hasBacklog) wakeOtherWorkers(pool.kinds)
  })
  const offEnqueued = onEnqueued(pool.kinds, running.turn)
  // Simultaneous transactions, and a claim that is under way, may exceed the places for a moment: by as many again and the connections.
  const offHandedOver = pool.claim
    ? () => undefined
    : onHandedOver(pool.kinds, {
        claim: (now) => (!hasBacklog && busy.size < pool.places ? secondsAfter(now, claimSeconds) : null),
        receive: (row) => start(row, workOnHanded),
      })
  return {
    kinds: pool.kinds,
    name: pool.name,
    busySeconds: running.busySeconds,
    turn: running.turn,
    stop: async () => {
      offEnqueued()
      offHandedOver()
      await running.stop()
      await Promise.all(busy)
    },
  }
}
