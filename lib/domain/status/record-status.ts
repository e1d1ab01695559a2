/**
 * Records the status for its history: once a minute that it was measured, and each incident in one row. Every worker checks, and one of
 * them records. While the database is down nothing can be recorded, so each worker remembers since when. The outage is recorded when the
 * database is back. A start of less than a minute is no outage.
 */
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import { singleton } from '@/lib/kernel/singleton'
import { dayOf } from '@/lib/kernel/utc-day'
import { checkStatus } from './check-status'
import type { ComponentName, Condition } from './schema'

/** Less than the time between two samples, so that a worker that is a little early still takes its turn. */
const pauseSeconds = minute - 5

/** A worker that has not reached the database yet starts together with it. */
const startSeconds = minute

const memory = () =>
  singleton('status.down-since', () => ({ downSince: null as Date | null, hasWorked: false }))

/** Checks the components and records what has changed. Called by the worker every few seconds. */
export async function recordStatus(now: Date): Promise<void> {
  const known = memory()
  const { components } = await checkStatus(now)
  if (components.some(({ name, status }) => name === 'database' && status === 'outage')) {
    known.downSince ??= now
    return
  }
  const { downSince } = known
  const isStart = !known.hasWorked && downSince !== null && now < secondsAfter(downSince, startSeconds)
  if (downSince !== null && !isStart) await transaction((tx) => recordOutage(tx, downSince, now))
  known.downSince = null
  known.hasWorked = true
  if (await claimSample(now)) await transaction((tx) => recordConditions(tx, components, now))
}

/** Counts a sample. Returns false when a worker did so less than a minute ago. */
async function claimSample(now: Date): Promise<boolean> {
  const counted = await db().run`
    INSERT INTO "StatusDay" AS d ("day", "samples", "sampledAt") VALUES (${dayOf(now)}::date, 1, ${now}::timestamptz)
    ON CONFLICT ("day") DO UPDATE SET "samples" = d."samples" + 1, "sampledAt" = EXCLUDED."sampledAt"
    WHERE d."sampledAt" <= ${secondsAfter(now, -pauseSeconds)}::timestamptz`
  return counted === 1
}

interface Measured {
  name: ComponentName
  status: Condition
}

/** Opens an incident for each component that does not work, and ends the incidents of all others. A worse condition replaces a better one. */
async function recordConditions(tx: Tx, components: Measured[], now: Date): Promise<void> {
  const troubled = components.filter(({ status }) => status !== 'operational')
  for (const { name, status } of troubled)
    await tx.run`
      INSERT INTO "Incident" AS i ("id", "component", "condition", "byOperator", "startedAt")
      VALUES (${newId('incident', now)}, ${name}, ${status}, false, ${now}::timestamptz)
      ON CONFLICT ("component") WHERE ("endedAt" IS NULL) AND (NOT "byOperator")
      DO UPDATE SET "condition" = 'outage' WHERE EXCLUDED."condition" = 'outage' AND i."condition" <> 'outage'`
  await tx.run`
    UPDATE "Incident" SET "endedAt" = ${now}::timestamptz
    WHERE ("endedAt" IS NULL) AND (NOT "byOperator") AND "component" <> ALL(${troubled.map(({ name }) => name)}::text[])`
}

/**
 * Records that the database was down. Every worker that noticed the outage calls this with its own times, and the longest span remains.
 * The lock of the newest day orders the workers.
 */
async function recordOutage(tx: Tx, since: Date, until: Date): Promise<void> {
  await tx.rows`SELECT "day" FROM "StatusDay" ORDER BY "day" DESC LIMIT 1 FOR UPDATE`
  const extended = await tx.run`
    UPDATE "Incident" SET
      "startedAt" = least("startedAt", ${since}::timestamptz), "endedAt" = greatest("endedAt", ${until}::timestamptz)
    WHERE "component" = 'database' AND "condition" = 'outage' AND NOT "byOperator"
      AND "startedAt" <= ${secondsAfter(until, minute)}::timestamptz AND "endedAt" >= ${secondsAfter(since, -minute)}::timestamptz`
  if (extended > 0) return
  await tx.run`
    INSERT INTO "Incident" ("id", "component", "condition", "byOperator", "startedAt", "endedAt")
    VALUES (${newId('incident', until)}, 'database', 'outage', false, ${since}::timestamptz, ${until}::timestamptz)`
}
