/** Mail for requests that no channel could announce. */

import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { mailChannelId } from '@/lib/domain/channels/schema'
import { readSettings, type SettingsColumns } from '@/lib/domain/notifications/settings'
import { mailPeck } from '@/lib/domain/pecks/mail/announce'
import { markNotified } from '@/lib/domain/pecks/mail/batch'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { isPendingAt } from '@/lib/domain/pecks/state'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'

export type ReachedPeck = Pick<
  PeckRow,
  'id' | 'requesterDucklingId' | 'targetDucklingId' | 'riskLevel' | 'expiresAt' | 'blocked'
>

/** Mails a peck unless it was mailed already. `settings` may exclude it from mails. */
export async function mailOnce(
  tx: Tx,
  peck: ReachedPeck,
  settings: SettingsColumns,
  now: Date,
): Promise<void> {
  const count = await tx.run`
    INSERT INTO "PeckAnnouncement" ("peckId", "channelId", "ducklingId", "createdAt")
    VALUES (${peck.id}, ${mailChannelId}, ${peck.targetDucklingId}, ${now}::timestamptz) ON CONFLICT DO NOTHING`
  if (count === 1) mailPeck(tx, peck, settings, now, 'known')
}

/** For each message that mail can take over: writes that a channel gives it up, and tells whether a channel has taken it or still tries. */
const fallbacks = {
  announce: {
    failed: sql`"failedAt"`,
    taken: sql`"announcedAt"`,
    isLeft: sql`("announcedAt" IS NOT NULL OR "failedAt" IS NULL)`,
  },
  // Only channels that took the announcement remind.
  remind: {
    failed: sql`"remindFailedAt"`,
    taken: sql`"remindedAt"`,
    isLeft: sql`("remindedAt" IS NOT NULL OR ("announcedAt" IS NOT NULL AND "remindFailedAt" IS NULL))`,
  },
}

/** Gives an announcement or a reminder up. Mails the request when no other channel has taken it or still tries. */
export async function giveUp(
  tx: Tx,
  about: keyof typeof fallbacks,
  peck: ReachedPeck,
  channelId: string,
  now: Date,
): Promise<void> {
  const { failed, taken, isLeft } = fallbacks[about]
  // Two channels that give up at the same time wait for each other here, and the second one mails.
  await tx.run`SELECT 1 FROM "Peck" WHERE "id" = ${peck.id} FOR NO KEY UPDATE`
  await tx.run`
    UPDATE "PeckAnnouncement" SET ${failed} = ${now}::timestamptz
    WHERE "peckId" = ${peck.id} AND "channelId" = ${channelId} AND ${taken} IS NULL`
  const [other] = await tx.rows`
    SELECT 1 FROM "PeckAnnouncement" WHERE "peckId" = ${peck.id} AND "channelId" <> ${mailChannelId} AND ${isLeft} LIMIT 1`
  if (other === undefined) await mailOnce(tx, peck, await readSettings(tx, peck.targetDucklingId), now)
}

/**
 * What `PeckAnnouncement` records about the messages of one peck to one channel. An attempt is written before it is sent, and the next one
 * begins only when it has certainly failed. So no channel gets a message twice.
 */

/** The messages about one peck. */
export type About = Exclude<OutboxPayloads['channel_message']['about'], 'summary'>

interface Message {
  peckId: string
  channelId: string
}

/** The column with the beginning of the attempt. */
const tried: Record<About, Sql> = {
  announce: sql`"triedAt"`,
  remind: sql`"remindTriedAt"`,
  withdraw: sql`"withdrawnAt"`,
}
/** The condition that no channel has given the message up. */
const notGivenUp: Record<About, Sql> = {
  announce: sql`"failedAt" IS NULL`,
  remind: sql`"remindFailedAt" IS NULL`,
  withdraw: sql`true`,
}

/** Writes that an attempt begins. Returns false when an earlier one has begun and has no result, or was the last. */
export async function beginAttempt(
  about: About,
  { peckId, channelId }: Message,
  now: Date,
): Promise<boolean> {
  const count = await db().run`
    UPDATE "PeckAnnouncement" SET ${tried[about]} = ${now}::timestamptz
    WHERE "peckId" = ${peckId} AND "channelId" = ${channelId} AND ${tried[about]} IS NULL AND ${notGivenUp[about]}`
  return count === 1
}

/** Writes that an attempt has certainly failed, so that another one may begin. */
export async function allowRetry(tx: Tx, about: About, { peckId, channelId }: Message): Promise<void> {
  await tx.run`
    UPDATE "PeckAnnouncement" SET ${tried[about]} = NULL WHERE "peckId" = ${peckId} AND "channelId" = ${channelId}`
}

/**
 * Writes that a channel took a message, even when another worker has given it up meanwhile. When the request ended meanwhile, its notification
 * is taken away.
 */
export async function accept(tx: Tx, about: About, { peckId, channelId }: Message, now: Date): Promise<void> {
  if (about === 'withdraw') return
  const [peck] = await tx.rows<{ isPending: boolean }>`
    SELECT ${isPendingAt(now, 'p')} AS "isPending" FROM "Peck" p WHERE p."id" = ${peckId} FOR NO KEY UPDATE`
  const change =
    about === 'announce'
      ? sql`"announcedAt" = ${now}::timestamptz, "triedAt" = coalesce("triedAt", ${now}::timestamptz), "failedAt" = NULL`
      : sql`"remindedAt" = ${now}::timestamptz, "remindTriedAt" = coalesce("remindTriedAt", ${now}::timestamptz), "remindFailedAt" = NULL`
  const hasEnded = peck?.isPending === false
  await tx.run`
    UPDATE "PeckAnnouncement" SET ${change}, "withdrawnAt" = CASE WHEN ${hasEnded} THEN NULL ELSE "withdrawnAt" END
    WHERE "peckId" = ${peckId} AND "channelId" = ${channelId}`
  if (about === 'announce') markNotified(tx, [peckId], now)
  if (hasEnded) enqueue(tx, now, 'reach_end', { peck_id: peckId })
}

/** Gives a message up. Mail takes over an announcement or a reminder that no other channel has taken or still tries. */
export async function giveUpMessage(
  tx: Tx,
  about: About,
  peck: ReachedPeck,
  channelId: string,
  now: Date,
): Promise<void> {
  if (about !== 'withdraw') await giveUp(tx, about, peck, channelId, now)
}
