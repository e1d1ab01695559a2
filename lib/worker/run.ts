/**
 * The outbox worker. Rows are claimed for a while, not removed, so that a worker that dies loses nothing; several workers
 * share one table without getting in each other's way (`FOR UPDATE SKIP LOCKED`). Delivery is at least once.
 */
import { db, openDatabase } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { claimWebhooks } from '@/lib/domain/webhooks/claim'
import { rebuildQueue } from '@/lib/domain/webhooks/queue'
import {
  type ClaimedRow,
  type FailedOutcome,
  type OutboxKind,
  type Outcome,
  onNudge,
} from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { describeError, log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'
import { claimDue } from './claim'
import { allChores, type Job, jobs } from './jobs'

const pollSeconds = 1
/** Kinds with a lane of their own, so that nothing else can take their places: above all the codes, which people wait for. */
const ownLanes: Lane[] = [
  { name: 'codes', kinds: ['code'], places: 4 },
  { name: 'text codes', kinds: ['text_code'], places: 4 },
  { name: 'texts', kinds: ['text'], places: 2 },
  // Webhooks wait for other people's servers.
  { name: 'webhooks', kinds: ['webhook'], places: 64, claim: claimWebhooks },
]
const ownKinds = new Set(ownLanes.flatMap(({ kinds }) => kinds))
const lanes: Lane[] = [
  ...ownLanes,
  {
    name: 'messages',
    kinds: (Object.keys(jobs) as OutboxKind[]).filter((kind) => !ownKinds.has(kind)),
    places: 4,
  },
]

type LaneName = 'codes' | 'text codes' | 'texts' | 'messages' | 'webhooks'

interface Lane {
  name: LaneName
  kinds: OutboxKind[]
  places: number
  /** Claims at most `free` due rows; by default the first that are due of its kinds. */
  claim?(free: number, places: number, now: Date): Promise<ClaimedRow[]>
}

function claim(lane: Lane, free: number): Promise<ClaimedRow[]> {
  const now = readClock()
  return lane.claim ? lane.claim(free, lane.places, now) : claimDue(lane.kinds, free, now)
}

/** Only while the claim is ours: one that has expired may belong to another worker now. */
const ownClaim = ({ id, claimedUntil }: ClaimedRow) => ({ id, claimedUntil })

/** Writes down what became of a row. Success removes the row; failure puts it off, or, after the last try, keeps it as failed. */
async function finish(row: ClaimedRow, outcome: Outcome, now: Date): Promise<void> {
  if (row.finish) return row.finish(outcome, now)
  const where = ownClaim(row)
  if (outcome === 'done') return void (await db().outbox.deleteMany({ where }))
  const { error, dueAt } = outcome
  await transaction(async (tx) => {
    const { count } = await tx.outbox.updateMany({
      where,
      data: { claimedUntil: null, lastError: error, ...(dueAt === null ? { failedAt: now } : { dueAt }) },
    })
    if (dueAt === null && count === 1) await jobOf(row).giveUp?.(tx, row.payload as never)
  })
}

const jobOf = ({ kind }: ClaimedRow) => jobs[kind] as Job<OutboxKind>

/** Does one row's work. A job that may not run yet is put off without counting the try. */
async function work(row: ClaimedRow): Promise<void> {
  let outcome: Outcome = 'done'
  try {
    await jobOf(row).run(row.payload as never, readClock(), row.attempts)
  } catch (error) {
    if (error instanceof Postponed) return postpone(row, error)
    outcome = outcomeOf(row, error)
  }
  await finish(row, outcome, readClock())
}

async function postpone(row: ClaimedRow, { until, payload }: Postponed): Promise<void> {
  const rest = payload === undefined ? {} : { payload }
  await db().outbox.updateMany({
    where: ownClaim(row),
    data: { claimedUntil: null, dueAt: until, attempts: row.attempts - 1, ...rest },
  })
}

function outcomeOf(row: ClaimedRow, error: unknown): FailedOutcome {
  const wait = jobOf(row).retries[row.attempts - 1]
  log().warn(
    { outbox: Number(row.id), kind: row.kind, attempt: row.attempts, error: describeError(error) },
    'delivery failed',
  )
  return {
    error: error instanceof Error ? error.message.slice(0, 500) : String(error),
    dueAt: wait === undefined ? null : secondsAfter(readClock(), wait),
  }
}

/**
 * Starts what is due, as far as there are places, and does not wait for it: a receiver that hangs holds its own place and
 * nobody else's. `onFree` is called whenever a place has come free.
 */
async function startDue(lane: Lane, busy: Set<Promise<void>>, onFree: () => void): Promise<void> {
  const free = lane.places - busy.size
  if (free === 0) return
  for (const row of await claim(lane, free)) {
    const job = work(row)
      .catch((error: unknown) =>
        log().warn({ outbox: Number(row.id), error: describeError(error) }, 'outcome not written'),
      )
      .finally(() => {
        busy.delete(job)
        onFree()
      })
    busy.add(job)
  }
}

/** The loop of a lane; stopping it waits for what it has begun. */
function laneLoop(lane: Lane): Worker {
  const busy = new Set<Promise<void>>()
  const running = loop(lane.name, pollSeconds, true, () => startDue(lane, busy, () => running.turn()))
  return {
    stop: async () => {
      await running.stop()
      await Promise.all(busy)
    },
  }
}

/** Works off everything that is due in a lane, and returns how much that was. */
async function drain(lane: Lane): Promise<number> {
  let done = 0
  for (;;) {
    const rows = await claim(lane, lane.places)
    if (rows.length === 0) return done
    await Promise.all(rows.map(work))
    done += rows.length
  }
}

/** Works off everything that is due now: for tests and command lines that want to see the result. */
export async function drainOutbox(): Promise<number> {
  await rebuildQueue()
  const counts = await Promise.all(lanes.map(drain))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Sends everything that is due now in one lane. @internal */
export async function drainLane(name: LaneName): Promise<number> {
  const lane = lanes.find((one) => one.name === name)
  return lane === undefined ? 0 : drain(lane)
}

interface Worker {
  stop(): Promise<void>
}

interface Loop extends Worker {
  /** Runs it once more, now or after the run that is on. */
  turn(): void
}

/** A loop that runs `step` at every nudge and at least every `seconds`, never twice at once. */
function loop(name: string, seconds: number, nudged: boolean, step: () => Promise<unknown>): Loop {
  let stopped = false
  let again = false
  let running: Promise<void> | null = null
  const turn = () => {
    if (stopped) return
    again = true
    running ??= (async () => {
      while (again && !stopped) {
        again = false
        try {
          await step()
        } catch (error) {
          if (!stopped) log().warn({ loop: name, error: describeError(error) }, 'worker could not run')
        }
      }
      running = null
    })()
  }
  const timer = setInterval(turn, seconds * 1000)
  timer.unref()
  const offNudge = nudged ? onNudge(turn) : () => undefined
  turn()
  return {
    turn,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      offNudge()
      await running
    },
  }
}

/** Starts the worker of this process; a second call is the same worker. On the embedded database, whose only process we are, rows that a killed process had claimed are free at once. */
export function startWorker(): Promise<Worker> {
  return singleton('worker', async () => {
    const { embedded } = await openDatabase()
    if (embedded) {
      await db().outbox.updateMany({ where: { claimedUntil: { not: null } }, data: { claimedUntil: null } })
      await rebuildQueue()
    }
    const chores = allChores()
    const loops = [
      ...lanes.map(laneLoop),
      ...chores.map(({ name, everySeconds, run }) => loop(name, everySeconds, false, () => run(readClock()))),
    ]
    return {
      stop: async () => {
        await Promise.all(loops.map((one) => one.stop()))
        for (const { run } of chores.filter(({ alsoAtStop }) => alsoAtStop)) await run(readClock())
      },
    }
  })
}
