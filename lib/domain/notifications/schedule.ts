/**
 * Schedules the next mail about waiting pecks to a target. `PeckNotice` has one row per target. At most one outbox row at a time sends
 * the mails of a target. Its `round` tells it from earlier rows, which do nothing any more.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { wakeWorker } from '@/lib/infrastructure/events/outbox'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'

/** Seconds between two mails about waiting pecks to one account (contract F, Mail). */
export const mailPauseSeconds = 10 * minute

/** A mail waits so long for further requests, so that a burst is one mail (contract F, Mail). */
export const gatherSeconds = 10

/** Returns the end of the pause after a mail, as SQL. A time that is ahead of the clock was set by a clock that went wrong, and counts as now. */
const pauseEnd = (mailedAt: Sql, seconds: number, now: Date) =>
  sql`(CASE WHEN ${mailedAt} > ${now}::timestamptz THEN ${now}::timestamptz ELSE ${mailedAt} END) + ${seconds}::int * interval '1 second'`

/** Adds the outbox rows of the targets in `scheduled`, which has "ducklingId", "round" and "mailedAt". */
function enqueueScheduled(tx: Tx, now: Date, before: Sql, dueAt: Date | Sql): void {
  const statement = sql`${before}
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT 'peck_mail', jsonb_build_object('duckling_id', "ducklingId", 'round', "round"),
      GREATEST((${dueAt})::timestamptz, ${pauseEnd(sql`"mailedAt"`, mailPauseSeconds, now)}), ${now}::timestamptz
    FROM scheduled`
  beforeCommit(tx, statement, {
    changed: (enqueued) => {
      if (enqueued > 0) wakeWorker(tx, 'peck_mail')
    },
  })
}

/**
 * Schedules a mail to the targets of `waiting`, a statement that makes pecks wait for the next mail and returns the "ducklingId" of
 * each. Does nothing for a target whose next mail is already scheduled.
 */
export function schedulePeckMail(tx: Tx, now: Date, waiting: Sql): void {
  // The upsert locks the row of the target even when it changes nothing, so `finishMail` never overlooks a peck.
  const before = sql`
    WITH waiting AS (${waiting}), scheduled AS (
      INSERT INTO "PeckNotice" AS n ("ducklingId", "isScheduled") SELECT DISTINCT "ducklingId", true FROM waiting
      ON CONFLICT ("ducklingId") DO UPDATE SET "isScheduled" = true, "round" = n."round" + 1 WHERE NOT n."isScheduled"
      RETURNING "ducklingId", "round", "mailedAt")`
  enqueueScheduled(tx, now, before, secondsAfter(now, gatherSeconds))
}

/** Seconds between two digests of requests of strangers. */
const strangersPauseSeconds = day

/**
 * Like `schedulePeckMail`, for requests of strangers: at most one mail a day is sent because of them. When the last was less than a day ago, the
 * next waits, and a mail about a known asker that is sent before takes them along.
 */
export function scheduleStrangersMail(tx: Tx, now: Date, waiting: Sql): void {
  const next = sql`CASE WHEN n."strangersAt" > ${now}::timestamptz
    THEN LEAST(n."strangersAt", ${secondsAfter(now, strangersPauseSeconds)}::timestamptz)
    ELSE GREATEST(${now}::timestamptz, n."strangersAt" + ${strangersPauseSeconds}::int * interval '1 second') END`
  // A mail that waits counts as not scheduled, so that a request of a known asker starts a round at once.
  const before = sql`
    WITH waiting AS (${waiting}), scheduled AS (
      INSERT INTO "PeckNotice" AS n ("ducklingId", "isScheduled", "strangersAt")
      SELECT DISTINCT "ducklingId", true, ${now}::timestamptz FROM waiting
      ON CONFLICT ("ducklingId") DO UPDATE SET
        "isScheduled" = ${next} <= ${now}::timestamptz, "round" = n."round" + 1, "strangersAt" = ${next} WHERE NOT n."isScheduled"
      RETURNING "ducklingId", "round", "mailedAt", "strangersAt")`
  const gathered = secondsAfter(now, gatherSeconds)
  enqueueScheduled(tx, now, before, sql`GREATEST("strangersAt", ${gathered}::timestamptz)`)
}

interface LaterRound {
  ducklingId: string
  /** The round that was given up. */
  round: number
  dueAt: Date
}

/**
 * Starts the next round of a target, after a round was given up. The target counts as not scheduled, so that the next request starts a round
 * at once instead of waiting for this one. Does nothing when another round has started.
 */
export function startLaterRound(tx: Tx, now: Date, { ducklingId, round, dueAt }: LaterRound): void {
  const before = sql`
    WITH scheduled AS (
      UPDATE "PeckNotice" SET "isScheduled" = false, "round" = "round" + 1
      WHERE "ducklingId" = ${ducklingId} AND "round" = ${round}
      RETURNING "ducklingId", "round", "mailedAt")`
  enqueueScheduled(tx, now, before, dueAt)
}

/** Until then, a mail that is being sent now has certainly been recorded as sent. */
const sendingSeconds = minute

/** Schedules the next mail of an account again, because its settings may allow an earlier time now. */
export function reschedulePeckMail(tx: Tx, now: Date, ducklingId: string): void {
  const before = sql`
    WITH scheduled AS (
      UPDATE "PeckNotice" SET "round" = "round" + 1 WHERE "ducklingId" = ${ducklingId} AND "isScheduled"
      RETURNING "ducklingId", "round", "mailedAt")`
  enqueueScheduled(tx, now, before, secondsAfter(now, sendingSeconds))
}
