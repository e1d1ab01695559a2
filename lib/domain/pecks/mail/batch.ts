import type { Tx } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { startLaterRound } from '@/lib/domain/notifications/schedule'
import { backAt, hasApprovedAsker, isImpostor, isPendingAt } from '@/lib/domain/pecks/state'
import { earliest, secondsAfter } from '@/lib/kernel/runtime/clock'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import type { Filtered } from './announce'
import { reminderGapSeconds, remindLater, type SetAside } from './remind'

/** The condition that the target of the peck `p` has not blocked its asker. */
export const unlessBlocked = sql`NOT p."blocked" AND NOT EXISTS (SELECT 1 FROM "PeckBlock" b
  WHERE b."ducklingId" = p."targetDucklingId" AND b."blockedDucklingId" = p."requesterDucklingId")`

/**
 * The condition that the target of the peck `p` knows its asker, so that a high risk may break quiet hours (contract F, Announcements on
 * channels). Who asks with an invitation is not known by that, and no impostor is.
 */
export const isOfKnown = sql`(p."requesterDucklingId" = p."targetDucklingId" OR ${hasApprovedAsker('p')}
  OR EXISTS (SELECT 1 FROM "Contact" c WHERE c."ducklingId" = p."targetDucklingId" AND c."askerId" = p."askerId" AND c."alwaysAt" IS NOT NULL AND NOT ${isImpostor('p')}))`

/**
 * Records that a channel of the target took the announcements of these pecks, at the end of the transaction. Only askers that the target knows
 * learn of it (contract F, Announcements on channels): a stranger could find out when a person reads mail.
 */
export function markNotified(tx: Tx, peckIds: string[], now: Date): void {
  beforeCommit(
    tx,
    sql`UPDATE "Peck" p SET "notifiedAt" = ${now}::timestamptz
      WHERE p."id" = ANY(${peckIds}::text[]) AND p."notifiedAt" IS NULL
        AND (p."requesterDucklingId" = p."targetDucklingId" OR ${hasApprovedAsker('p')})`,
  )
}

/**
 * The pecks of one mail. They are marked before the mail is sent. When the process dies before it records that the mail was sent, the
 * next attempt sends the same mail with the same Message-ID, and pecks that were added meanwhile wait for the mail after it.
 */

/** Locks the row of a target against requests that schedule a mail. Returns its round. */
async function lockNotice(tx: Tx, ducklingId: string): Promise<number | null> {
  const [row] = await tx.rows<{ round: number }>`
    SELECT "round" FROM "PeckNotice" WHERE "ducklingId" = ${ducklingId} FOR UPDATE`
  return row?.round ?? null
}

/** A peck of a mail. */
export interface MailPeck extends Filtered {
  id: string
  stage: 'announce' | 'remind'
  /** When the peck waits for its target again, or null when it does so now. */
  backAt: Date | null
}

/**
 * Marks all waiting pecks of a target as one mail, unless an earlier one was not finished. Returns the id of the mail (null when no peck waits)
 * and the pecks of the mail that are still pending: those of known askers first, of these the highest risk, then those that expire first.
 */
export function markMail(
  ducklingId: string,
  now: Date,
): Promise<{ mailId: string | null; pending: MailPeck[] }> {
  return transaction(async (tx) => {
    const mailId = `peck-${randomSecret(16).toLowerCase()}`
    const ofTarget = sql`m."ducklingId" = ${ducklingId} AND m."stage" IN ('announce', 'remind')`
    const [, [marked], pending] = await Promise.all([
      lockNotice(tx, ducklingId),
      tx.rows<{ mailId: string }>`
        WITH unfinished AS (
          SELECT "mailId" FROM "PeckMail" m WHERE ${ofTarget} AND "mailId" IS NOT NULL LIMIT 1
        ), marked AS (
          UPDATE "PeckMail" m SET "mailId" = ${mailId} WHERE ${ofTarget} AND NOT EXISTS (SELECT 1 FROM unfinished)
          RETURNING "mailId"
        )
        SELECT "mailId" FROM unfinished UNION SELECT "mailId" FROM marked`,
      // A target has one mail at a time, so every `mailId` of the target is the one above.
      tx.rows<MailPeck>`
        SELECT p."id", m."stage", p."requesterDucklingId", p."targetDucklingId", p."riskLevel", ${backAt(now, 'p')} AS "backAt"
        FROM "PeckMail" m ${joinRow('Peck', 'p', 'm."peckId"')}
        WHERE ${ofTarget} AND m."mailId" IS NOT NULL AND ${isPendingAt(now, 'p')} AND ${unlessBlocked}
        ORDER BY ${isOfKnown} DESC, CASE p."riskLevel" WHEN 'low' THEN 2 WHEN 'medium' THEN 1 ELSE 0 END, p."expiresAt", p."id"`,
    ])
    return { mailId: marked?.mailId ?? null, pending }
  })
}

/** A mail that was sent, or that was not needed: then `sentAt` is null. */
interface Finished {
  ducklingId: string
  round: number
  mailId: string | null
  sentAt: Date | null
  /** The pecks of the mail that wait for a later one. */
  setAside: (SetAside & { stage: 'announce' | 'remind' })[]
}

/**
 * Records that the pecks of a mail are announced or reminded of. Returns whether others wait for the next mail. Otherwise no mail is
 * scheduled any more, except one for pecks that were set aside before they were announced. A round that has started meanwhile keeps its time.
 */
export function finishMail(
  { ducklingId, round, mailId, sentAt, setAside }: Finished,
  now: Date,
): Promise<boolean> {
  return transaction(async (tx) => {
    const unannounced = setAside.filter(({ stage }) => stage === 'announce')
    const ids = unannounced.map(({ id }) => id)
    const isOver = sql`("stage" = 'remind' OR "remindAt" IS NULL OR "remindAt" <= ${secondsAfter(now, reminderGapSeconds)}::timestamptz)`
    // The statements run in this order and travel in one write.
    const [currentRound, , , mailed, [notice]] = await Promise.all([
      lockNotice(tx, ducklingId),
      setAside.length > 0 && tx.run`${remindLater(setAside.filter(({ stage }) => stage === 'remind'))}`,
      setAside.length > 0 &&
        tx.run`UPDATE "PeckMail" SET "mailId" = NULL WHERE "peckId" = ANY(${ids}::text[])`,
      tx.rows<{ peckId: string }>`
        SELECT "peckId" FROM "PeckMail"
        WHERE "ducklingId" = ${ducklingId} AND "mailId" = ${mailId} AND "peckId" <> ALL(${ids}::text[])`,
      tx.rows<{ hasMore: boolean }>`
      WITH over AS (
        DELETE FROM "PeckMail" WHERE "ducklingId" = ${ducklingId} AND "mailId" = ${mailId} AND ${isOver}
      ), announced AS (
        UPDATE "PeckMail" SET "stage" = 'announced', "mailId" = NULL
        WHERE "ducklingId" = ${ducklingId} AND "mailId" = ${mailId} AND NOT ${isOver}
      ), others AS (
        SELECT 1 FROM "PeckMail"
        WHERE "ducklingId" = ${ducklingId} AND "stage" IN ('announce', 'remind')
          AND (${mailId}::text IS NULL OR "mailId" IS DISTINCT FROM ${mailId}) AND "peckId" <> ALL(${ids}::text[]) LIMIT 1
      )
      UPDATE "PeckNotice" SET "mailedAt" = coalesce(${sentAt}::timestamptz, "mailedAt"),
        "isScheduled" = CASE WHEN "round" = ${round} THEN EXISTS (SELECT 1 FROM others) ELSE "isScheduled" END
      WHERE "ducklingId" = ${ducklingId}
      RETURNING EXISTS (SELECT 1 FROM others) AS "hasMore"`,
    ])
    // Blocked askers too: they must not learn from a missing time that they are blocked.
    if (sentAt !== null)
      markNotified(
        tx,
        mailed.map(({ peckId }) => peckId),
        now,
      )
    const isScheduled = notice?.hasMore ?? false
    const dueAt = earliest(unannounced.map(({ backAt }) => backAt))
    if (!isScheduled && dueAt !== null) startLaterRound(tx, now, { ducklingId, round, dueAt })
    return isScheduled && currentRound === round
  })
}

/**
 * Removes the pecks of a target that are no longer pending and that no mail was begun for. Returns whether others wait for a mail of this round.
 * Otherwise no mail is scheduled any more. A round that has started meanwhile keeps its time, and sends its own pecks.
 */
export async function dropOver(tx: Tx, ducklingId: string, round: number, now: Date): Promise<boolean> {
  await lockNotice(tx, ducklingId)
  const [notice] = await tx.rows<{ hasMore: boolean }>`
    WITH over AS (
      DELETE FROM "PeckMail" m USING "Peck" p
      WHERE m."ducklingId" = ${ducklingId} AND m."stage" IN ('announce', 'remind') AND m."mailId" IS NULL
        AND p."id" = m."peckId" AND NOT (${isPendingAt(now, 'p')})
      RETURNING m."peckId"
    )
    UPDATE "PeckNotice" SET "isScheduled" = EXISTS (
      SELECT 1 FROM "PeckMail" WHERE "ducklingId" = ${ducklingId} AND "stage" IN ('announce', 'remind')
        AND "peckId" NOT IN (SELECT "peckId" FROM over))
    WHERE "ducklingId" = ${ducklingId} AND "round" = ${round} RETURNING "isScheduled" AS "hasMore"`
  return notice?.hasMore ?? false
}

/** Removes the waiting pecks of a target that gets no mail. Their reminders are removed too. */
export async function dropWaiting(tx: Tx, ducklingId: string, round: number): Promise<void> {
  await lockNotice(tx, ducklingId)
  await tx.run`
    DELETE FROM "PeckMail" WHERE "ducklingId" = ${ducklingId} AND "stage" IN ('announce', 'remind')`
  await tx.run`
    UPDATE "PeckNotice" SET "isScheduled" = false WHERE "ducklingId" = ${ducklingId} AND "round" = ${round}`
}
