import type { Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { mailPauseSeconds, schedulePeckMail } from '@/lib/domain/notifications/schedule'
import { afterQuiet, type QuietHours, startOfQuiet } from '@/lib/domain/notifications/settings'
import { backAt, isPendingAt } from '@/lib/domain/pecks/state'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/runtime/clock'

const batchSize = 100

interface DuePeck {
  peckId: string
  isPending: boolean
  /** When a snoozed peck is back, or a rejection can no longer be undone. Null for a peck that waits now. */
  backAt: Date | null
}

/**
 * Reminds the targets of pecks that still wait when the time of their reminder has come: puts these pecks into the next mail. The reminder
 * of a snoozed peck comes when the peck is back. Called by the worker.
 */
export async function remindOfPecks(now: Date): Promise<void> {
  while ((await transaction((tx) => remindBatch(tx, now))) === batchSize);
}

/** Returns the number of pecks whose time has come. Simultaneous workers take different ones. */
async function remindBatch(tx: Tx, now: Date): Promise<number> {
  // The condition of the index "PeckMail_announced_idx".
  const due = await tx.rows<DuePeck>`
    SELECT m."peckId", ${isPendingAt(now, 'p')} AS "isPending", ${backAt(now, 'p')} AS "backAt"
    FROM "PeckMail" m ${joinRow('Peck', 'p', 'm."peckId"')}
    WHERE m."stage" = 'announced' AND m."remindAt" <= ${now}::timestamptz
    ORDER BY m."remindAt" LIMIT ${batchSize}::int FOR UPDATE OF m SKIP LOCKED`
  const idsOf = (pecks: DuePeck[]) => pecks.map(({ peckId }) => peckId)
  const ended = due.filter(({ isPending }) => !isPending)
  const waiting = due.filter(({ isPending, backAt: at }) => isPending && at === null)
  const setAside = due.flatMap(({ peckId: id, isPending, backAt: at }) =>
    isPending && at !== null ? [{ id, backAt: at }] : [],
  )
  beforeCommit(tx, sql`DELETE FROM "PeckMail" WHERE "peckId" = ANY(${idsOf(ended)}::text[])`)
  beforeCommit(tx, remindLater(setAside))
  schedulePeckMail(
    tx,
    now,
    sql`UPDATE "PeckMail" SET "stage" = 'remind' WHERE "peckId" = ANY(${idsOf(waiting)}::text[]) RETURNING "ducklingId"`,
  )
  return due.length
}

/** A peck that does not wait for its target now. */
export interface SetAside {
  id: string
  backAt: Date
}

/** Returns the statement that gives the reminders of some pecks the times when these wait for their targets again. */
export function remindLater(pecks: SetAside[]): Sql {
  const [ids, times] = [pecks.map(({ id }) => id), pecks.map(({ backAt: at }) => at)]
  return sql`
    UPDATE "PeckMail" m SET "stage" = 'announced', "remindAt" = later."at", "mailId" = NULL
    FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS later("id", "at") WHERE m."peckId" = later."id"`
}

/** Pecks that wait for less than an hour get no reminder (contract F, Mail). */
const waitMinSeconds = hour
/** The longest time between the reminder and the end of the peck (contract F, Mail). */
const leadMaxSeconds = day
/** A reminder sooner after the announcement would only repeat it. */
export const reminderGapSeconds = 30 * minute

/**
 * Returns when the target of a peck is reminded: when a quarter of the time is left, at most a day before the end. When quiet hours would
 * delay the reminder until the peck has expired, it comes before the quiet hours. Null means never.
 */
export function reminderTime(createdAt: Date, expiresAt: Date, quiet: QuietHours | null): Date | null {
  const waitSeconds = (expiresAt.getTime() - createdAt.getTime()) / 1000
  if (waitSeconds < waitMinSeconds) return null
  const planned = secondsAfter(expiresAt, -Math.min(waitSeconds / 4, leadMaxSeconds))
  // The pause between two mails can delay the reminder.
  if (afterQuiet(planned, quiet) <= secondsAfter(expiresAt, -mailPauseSeconds)) return planned
  const earlier = secondsAfter(startOfQuiet(planned, quiet), -mailPauseSeconds)
  return earlier >= secondsAfter(createdAt, reminderGapSeconds) ? earlier : null
}
