/** Mail for requests that no channel could announce. */
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { mailChannelId } from '@/lib/domain/channels/schema'
import { readSettings, type SettingsColumns } from '@/lib/domain/notifications/settings'
import { mailPeck } from '@/lib/domain/pecks/mail/announce'
import type { PeckRow } from '@/lib/domain/pecks/rows'

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
