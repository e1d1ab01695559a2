/**
 * The outbox worker. Rows are claimed for a while, not removed, so that a worker that dies loses nothing; several workers
 * share one table without getting in each other's way (`FOR UPDATE SKIP LOCKED`). Delivery is at least once.
 */
import { db, openDatabase } from '@/lib/db/client'
import { type OutboxKind, onNudge } from '@/lib/events/outbox'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { once } from '@/lib/kernel/global'
import { describeError, log } from '@/lib/kernel/log'
import { chores, jobs } from './jobs'

const pollSeconds = 1
const claimSeconds = 60
/** Webhooks wait for other people's servers, so they may not take all the places of the mail. */
const lanes: Lane[] = [
  {
    name: 'messages',
    kinds: (Object.keys(jobs) as OutboxKind[]).filter((kind) => kind !== 'webhook'),
    places: 4,
  },
  { name: 'webhooks', kinds: ['webhook'], places: 16 },
]

interface Lane {
  name: string
  kinds: OutboxKind[]
  places: number
}

interface ClaimedRow {
  id: bigint
  kind: OutboxKind
  payload: unknown
  attempts: number
}

function claim(kinds: OutboxKind[], places: number, now: Date): Promise<ClaimedRow[]> {
  return db().$queryRaw<ClaimedRow[]>`
    UPDATE "Outbox" SET "claimedUntil" = ${secondsAfter(now, claimSeconds)}::timestamptz, "attempts" = "attempts" + 1
    WHERE "id" IN (
      SELECT "id" FROM "Outbox"
      WHERE "failedAt" IS NULL AND "dueAt" <= ${now}::timestamptz AND "kind" = ANY(${kinds}::text[])
        AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now}::timestamptz)
      ORDER BY "dueAt", "id" LIMIT ${places} FOR UPDATE SKIP LOCKED
    )
    RETURNING "id", "kind", "payload", "attempts"`
}

/** Does one row's work. Success removes the row; failure puts it off, or, after the last try, keeps it as failed. */
async function work(row: ClaimedRow): Promise<void> {
  const job = jobs[row.kind] as {
    run(payload: unknown, now: Date, attempt: number): Promise<void>
    retries: number[]
  }
  try {
    await job.run(row.payload, readClock(), row.attempts)
    await db().outbox.delete({ where: { id: row.id } })
  } catch (error) {
    const now = readClock()
    const wait = job.retries[row.attempts - 1]
    log().warn(
      { outbox: Number(row.id), kind: row.kind, attempt: row.attempts, error: describeError(error) },
      'delivery failed',
    )
    await db().outbox.updateMany({
      where: { id: row.id },
      data: {
        claimedUntil: null,
        lastError: error instanceof Error ? error.message.slice(0, 500) : String(error),
        ...(wait === undefined ? { failedAt: now } : { dueAt: secondsAfter(now, wait) }),
      },
    })
  }
}

/**
 * Starts what is due, as far as there are places, and does not wait for it: a receiver that hangs holds its own place and
 * nobody else's. `onFree` is called whenever a place has come free.
 */
async function startDue(lane: Lane, busy: Set<Promise<void>>, onFree: () => void): Promise<void> {
  const free = lane.places - busy.size
  if (free === 0) return
  for (const row of await claim(lane.kinds, free, readClock())) {
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
async function drainLane({ kinds, places }: Lane): Promise<number> {
  let done = 0
  for (;;) {
    const rows = await claim(kinds, places, readClock())
    if (rows.length === 0) return done
    await Promise.all(rows.map(work))
    done += rows.length
  }
}

/** Works off everything that is due now: for tests and command lines that want to see the result. */
export async function drainOutbox(): Promise<number> {
  const counts = await Promise.all(lanes.map(drainLane))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Runs every chore once, whatever the clock says. */
export async function runChores(now: Date): Promise<void> {
  for (const chore of chores) await chore.run(now)
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
  return once('worker', async () => {
    const { embedded } = await openDatabase()
    if (embedded)
      await db().outbox.updateMany({ where: { claimedUntil: { not: null } }, data: { claimedUntil: null } })
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
