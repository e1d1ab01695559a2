import { db, type Tx } from '@/lib/db/client'
import type { Channel } from '@/lib/db/generated/client'
import { joinRow, sql } from '@/lib/db/sql'
import { beforeCommit, lockName, transaction } from '@/lib/db/transaction'
import { isFailing, isTriedAgain } from '@/lib/domain/channels/outcome'
import { mailChannelId } from '@/lib/domain/channels/schema'
import { gatherSeconds, mailPauseSeconds } from '@/lib/domain/notifications/schedule'
import {
  announcedFrom,
  type JoinedSettings,
  quietHoursOf,
  type SettingsColumns,
  settingsColumns,
  settingsOf,
} from '@/lib/domain/notifications/settings'
import { alertPauseSeconds } from '@/lib/domain/pecks/mail/alert'
import { isOfKnown, markNotified, unlessBlocked } from '@/lib/domain/pecks/mail/batch'
import { reminderTime } from '@/lib/domain/pecks/mail/remind'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { backAt, isPendingAt } from '@/lib/domain/pecks/state'
import { tokenTaking } from '@/lib/infrastructure/budgets/budget'
import { enqueue, type OutboxPayloads, Postponed, wakeWorker } from '@/lib/infrastructure/events/outbox'
import { earliest, latest, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { giveUp, mailOnce, type ReachedPeck } from './progress'

/** Enqueues a message to a channel, with its host, so that a slow host delays no other. */
function enqueueMessage(
  tx: Tx,
  now: Date,
  { hint }: Pick<Channel, 'hint'>,
  payload: Omit<OutboxPayloads['channel_message'], 'host'>,
): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "host")
      VALUES ('channel_message', ${JSON.stringify({ ...payload, host: hint })}::jsonb, ${now}::timestamptz, ${now}::timestamptz, ${hint})`,
  )
  wakeWorker(tx, 'channel_message')
}

/**
 * Announces a request of a known asker on the channels of its target (contract F, Announcements on channels). One outbox row, which the
 * request wrote, becomes one row for each channel. The rows of `PeckAnnouncement` are inserted in the same transaction, so no channel gets
 * a second one.
 */

type Payload = OutboxPayloads['reach']

interface Reach extends ReachedPeck {
  settings: SettingsColumns
  backAt: Date | null
  isOfKnown: boolean
  /** Whether the target blocks the asker by now. */
  isBlocked: boolean
  /** Whether any channel can announce it: an address is verified and the account is not suspended. */
  isReachable: boolean
  hasChannels: boolean
  createdAt: Date
  /** When the asker sent the first request of the burst that a mail would gather. */
  gatheredSince: Date
  /** The last mail about requests, and the last one about high risks. */
  mailedAt: Date | null
  alertedAt: Date | null
}

/** Announcements that exceed the budget of rings are in one message, which is sent so long after the first of them. */
const summarySeconds = minute

async function findReach(peckId: string, now: Date): Promise<Reach | null> {
  const [row] = await db().rows<Omit<Reach, 'settings'> & JoinedSettings>`
    SELECT p."id", p."requesterDucklingId", p."targetDucklingId", p."riskLevel", p."expiresAt", p."createdAt", p."blocked",
      ${backAt(now, 'p')} AS "backAt", ${settingsColumns}, ${isOfKnown} AS "isOfKnown",
      (p."blocked" OR EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = p."targetDucklingId" AND b."blockedDucklingId" = p."requesterDucklingId")) AS "isBlocked",
      (d."emailVerifiedAt" IS NOT NULL AND d."suspendedAt" IS NULL) AS "isReachable",
      EXISTS (SELECT 1 FROM "Channel" c WHERE c."ducklingId" = p."targetDucklingId") AS "hasChannels", n."mailedAt", n."alertedAt",
      (SELECT min(o."createdAt") FROM (
        SELECT "createdAt" FROM "Peck" WHERE "targetDucklingId" = p."targetDucklingId" AND "askerId" = p."askerId" AND "id" <= p."id"
        ORDER BY "id" DESC LIMIT 50) o
        WHERE o."createdAt" > p."createdAt" - ${gatherSeconds}::int * interval '1 second') AS "gatheredSince"
    FROM "Peck" p ${joinRow('Duckling', 'd', 'p."targetDucklingId"')}
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = p."targetDucklingId"
    LEFT JOIN "PeckNotice" n ON n."ducklingId" = p."targetDucklingId"
    WHERE p."id" = ${peckId} AND ${isPendingAt(now, 'p')}`
  return row === undefined ? null : { ...row, settings: settingsOf(row) }
}

/** Older pecks have no level. A missing level must not hide a request. */
const levelOf = ({ riskLevel }: Pick<ReachedPeck, 'riskLevel'>) => riskLevel ?? 'high'

/**
 * Runs the row of a request: its announcement, or its reminder. Throws `Postponed` during quiet hours, a pause, or while the target has put the
 * request aside. Called by the worker.
 */
export async function reach({ peck_id: peckId, about = 'announce' }: Payload, now: Date): Promise<void> {
  const peck = await findReach(peckId, now)
  if (peck === null || !peck.isReachable) return
  const isHighOfKnown = levelOf(peck) === 'high' && peck.isOfKnown
  const restUntil = levelOf(peck) === 'high' ? null : peck.expiresAt
  const from = announcedFrom(peck.settings, latest([peck.backAt ?? now, now]), { isHighOfKnown, restUntil })
  // Looks again soon, because the target may change the settings or bring the request back.
  if (from > now) throw new Postponed(earliest([from, secondsAfter(now, mailPauseSeconds)]) ?? now)
  // The asker must not learn from a missing time that it is blocked.
  if (peck.isBlocked) return pretend(peck, now)
  if (about === 'remind') return remind(peck, now)
  await transaction((tx) => announce(tx, peck, now))
}

/** Sets the time that the asker would see without the block: at once, or with the next mail. */
async function pretend(peck: Reach, now: Date): Promise<void> {
  const at = await pretendedAt(peck, now)
  if (at > now) throw new Postponed(at)
  await transaction(async (tx) => markNotified(tx, [peck.id], now))
}

async function pretendedAt(
  { id, hasChannels, mailedAt, alertedAt, ...peck }: Reach,
  now: Date,
): Promise<Date> {
  if (hasChannels) return now
  const isHigh = levelOf(peck) === 'high'
  // Mails to the target about this asker that were only pretended count too: the asker would see their pause.
  const [last] = !isHigh
    ? []
    : await db().rows<{ at: Date | null }>`
    SELECT max(o."notifiedAt") AS "at" FROM (
      SELECT o."notifiedAt", o."riskLevel" FROM "Peck" o JOIN "Peck" p ON p."id" = ${id}
      WHERE o."targetDucklingId" = p."targetDucklingId" AND o."askerId" = p."askerId" ORDER BY o."id" DESC LIMIT 50) o
    WHERE o."riskLevel" = 'high'`
  const mails = [isHigh ? alertedAt : mailedAt, last?.at ?? null].filter((at) => at !== null)
  // Such a mail would have had the request.
  if (mails.some((at) => at > peck.createdAt)) return now
  const pauseSeconds = isHigh ? alertPauseSeconds : mailPauseSeconds
  return latest([
    secondsAfter(peck.gatheredSince, gatherSeconds),
    ...mails.map((at) => secondsAfter(at, pauseSeconds)),
  ])
}

/** Takes one ring from the budget of the target. High risks have a budget of their own. */
async function mayRing(tx: Tx, peck: Reach, now: Date): Promise<boolean> {
  const key = levelOf(peck) === 'high' ? `${peck.targetDucklingId} high` : peck.targetDucklingId
  return (await tx.run`${tokenTaking('rings', key, now)}`) === 1
}

async function announce(tx: Tx, peck: Reach, now: Date): Promise<void> {
  const { id, targetDucklingId: ducklingId, settings } = peck
  await lockName(tx, `reach:${ducklingId}`)
  // A decision waits for this lock and sees `rings` then, or it is seen here.
  const marked = await tx.run`
    UPDATE "Peck" SET "rings" = true WHERE "id" = ${id} AND ${isPendingAt(now)}`
  if (marked === 0) return
  const channels = await tx.channel.findMany({ where: { ducklingId, announces: { has: levelOf(peck) } } })
  const chosen = channels.filter((channel) => !isFailing(channel, now) || isTriedAgain(channel, now))
  const isRinging = channels.some((channel) => !isFailing(channel, now))
  const left = await insertAnnouncements(tx, peck, chosen, now)
  if (left.length > 0 && (await mayRing(tx, peck, now)))
    for (const channel of left)
      enqueueMessage(tx, now, channel, { about: 'announce', channel_id: channel.id, peck_id: id })
  else if (left.length > 0) await addToSummary(tx, peck, left, now)
  const remindAt = remindAtOf(peck, now)
  if (left.length > 0 && remindAt !== null)
    enqueue(tx, now, 'reach', { peck_id: id, about: 'remind' }, remindAt)
  if (!isRinging || settings.mailAnnounces.includes(levelOf(peck))) await mailOnce(tx, peck, settings, now)
}

/** Inserts the announcements that do not exist yet, and returns their channels. */
async function insertAnnouncements(tx: Tx, peck: Reach, channels: Channel[], now: Date): Promise<Channel[]> {
  const ids = channels.map(({ id }) => id)
  const inserted = await tx.rows<{ id: string }>`
    INSERT INTO "PeckAnnouncement" ("peckId", "channelId", "ducklingId", "createdAt")
    SELECT ${peck.id}, c, ${peck.targetDucklingId}, ${now}::timestamptz FROM unnest(${ids}::text[]) AS c
    ON CONFLICT DO NOTHING RETURNING "channelId" AS "id"`
  return channels.filter(({ id }) => inserted.some((row) => row.id === id))
}

/** Puts the announcements of a peck into the next message about several requests. */
async function addToSummary(
  tx: Tx,
  { id, targetDucklingId: ducklingId }: Reach,
  channels: Channel[],
  now: Date,
): Promise<void> {
  const [waiting] = await tx.rows<{ summaryId: string }>`
    SELECT "summaryId" FROM "PeckAnnouncement"
    WHERE "ducklingId" = ${ducklingId} AND "summaryId" IS NOT NULL AND "triedAt" IS NULL AND "failedAt" IS NULL LIMIT 1`
  const summaryId = waiting?.summaryId ?? newId('message', now)
  await tx.run`
    UPDATE "PeckAnnouncement" SET "summaryId" = ${summaryId}
    WHERE "peckId" = ${id} AND "channelId" = ANY(${channels.map((channel) => channel.id)}::text[])`
  if (waiting === undefined)
    enqueue(
      tx,
      now,
      'reach_summary',
      { duckling_id: ducklingId, summary_id: summaryId },
      secondsAfter(now, summarySeconds),
    )
}

function remindAtOf(peck: Reach, now: Date): Date | null {
  if (!peck.settings.mailReminders) return null
  return reminderTime(now, peck.expiresAt, quietHoursOf(peck.settings))
}

/** Reminds on every channel that took the announcement. Waits for the budget of rings. A channel that was removed gives its reminder up. */
async function remind(peck: Reach, now: Date): Promise<void> {
  if (!peck.settings.mailReminders) return
  await transaction(async (tx) => {
    await lockName(tx, `reach:${peck.targetDucklingId}`)
    const rows = await tx.rows<{ id: string; hint: string | null }>`
      SELECT a."channelId" AS "id", c."hint" FROM "PeckAnnouncement" a LEFT JOIN "Channel" c ON c."id" = a."channelId"
      WHERE a."peckId" = ${peck.id} AND a."channelId" <> ${mailChannelId} AND a."announcedAt" IS NOT NULL
        AND a."remindTriedAt" IS NULL AND a."remindFailedAt" IS NULL`
    const channels = rows.flatMap(({ id, hint }) => (hint === null ? [] : [{ id, hint }]))
    if (channels.length > 0 && !(await mayRing(tx, peck, now)))
      throw new Postponed(secondsAfter(now, summarySeconds))
    for (const { id, hint } of channels)
      enqueueMessage(tx, now, { hint }, { about: 'remind', channel_id: id, peck_id: peck.id })
    for (const { id, hint } of rows) if (hint === null) await giveUp(tx, 'remind', peck, id, now)
  })
}

/** Takes away the notifications of a request that no longer waits: on each browser that took the announcement, once. */
export async function endReach({ peck_id: peckId }: OutboxPayloads['reach_end'], now: Date): Promise<void> {
  await transaction(async (tx) => {
    const channels = await tx.rows<Channel>`
      SELECT c.* FROM "PeckAnnouncement" a JOIN "Channel" c ON c."id" = a."channelId"
      WHERE a."peckId" = ${peckId} AND a."announcedAt" IS NOT NULL AND a."withdrawnAt" IS NULL AND c."kind" = 'push'`
    for (const channel of channels)
      enqueueMessage(tx, now, channel, { about: 'withdraw', channel_id: channel.id, peck_id: peckId })
  })
}

/** Returns the pecks of a summary that still wait, and that this channel has not announced. */
export function pecksOfSummary(tx: Tx, summaryId: string, channelId: string, now: Date): Promise<PeckRow[]> {
  return readPecks(
    tx,
    sql`SELECT p.* FROM "PeckAnnouncement" a JOIN "Peck" p ON p."id" = a."peckId"
      WHERE a."summaryId" = ${summaryId} AND a."channelId" = ${channelId} AND a."announcedAt" IS NULL AND a."failedAt" IS NULL
        AND ${isPendingAt(now, 'p')} AND ${unlessBlocked}`,
  )
}

/**
 * Sends the message about the requests that exceeded the budget of rings: one to each channel. A channel that was removed meanwhile gives
 * its requests up.
 */
export async function summarize(
  { summary_id: summaryId }: OutboxPayloads['reach_summary'],
  now: Date,
): Promise<void> {
  await transaction(async (tx) => {
    const [first] = await tx.rows<{ ducklingId: string }>`
      SELECT "ducklingId" FROM "PeckAnnouncement" WHERE "summaryId" = ${summaryId} LIMIT 1`
    if (first === undefined) return
    await lockName(tx, `reach:${first.ducklingId}`)
    const begun = await tx.rows<{ id: string }>`
      UPDATE "PeckAnnouncement" SET "triedAt" = ${now}::timestamptz
      WHERE "summaryId" = ${summaryId} AND "triedAt" IS NULL RETURNING "channelId" AS "id"`
    const ids = [...new Set(begun.map(({ id }) => id))]
    const channels = await tx.channel.findMany({ where: { id: { in: ids } } })
    for (const channel of channels)
      enqueueMessage(tx, now, channel, { about: 'summary', channel_id: channel.id, peck_id: summaryId })
    const removed = ids.filter((id) => !channels.some((channel) => channel.id === id))
    for (const id of removed)
      for (const peck of await pecksOfSummary(tx, summaryId, id, now))
        await giveUp(tx, 'announce', peck, id, now)
  })
}
