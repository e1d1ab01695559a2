/**
 * Sends one message to one channel. The attempt is written before it is sent. When its result is not known, because the process died or the
 * target did not answer in time, the message is not sent again on this channel: mail announces the request or reminds of it instead.
 */
import { db } from '@/lib/db/client'
import type { Channel } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { noteHost, releaseHost } from '@/lib/domain/channels/claim'
import { recordOutcome } from '@/lib/domain/channels/outcome'
import { type ChannelMessage, type ChannelSent, sendToChannel } from '@/lib/domain/channels/send'
import { firstLinesOf } from '@/lib/domain/pecks/asker-history'
import { mailedPeck } from '@/lib/domain/pecks/mail/announce'
import { isOfKnown, unlessBlocked } from '@/lib/domain/pecks/mail/batch'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isAmongKnown, isPendingAt, isWaitingAt } from '@/lib/domain/pecks/state'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { NotDelivered } from '@/lib/infrastructure/mail/not-delivered'
import { peckNote, severalNote } from '@/lib/infrastructure/mail/notice'
import { readReader, writeFor } from '@/lib/infrastructure/mail/reader'
import { day } from '@/lib/kernel/runtime/clock'
import { pecksOfSummary } from './fan-out'
import { type About, accept, allowRetry, beginAttempt, giveUp, giveUpMessage } from './progress'

type Payload = OutboxPayloads['channel_message']

/** Seconds to wait after an attempt that certainly failed. Afterwards mail takes an announcement or a reminder over. */
export const messageRetrySeconds = [5, 30]

/** Failures before the target can have taken the message. All others may have happened afterwards. */
const certainFailures: ReadonlySet<ChannelSent['error']> = new Set([
  'refused',
  'unreachable',
  'name_not_found',
  'blocked_address',
  'tls',
  'redirect',
  'http_status',
] as const)

/** Sends the message of an outbox row that `claimMessages` claimed. `attempt` counts from 1. */
export async function sendMessage(payload: Payload, now: Date, attempt: number): Promise<void> {
  try {
    await sendClaimed(payload, now, attempt)
  } finally {
    releaseHost(payload.host)
  }
}

async function sendClaimed(payload: Payload, now: Date, attempt: number): Promise<void> {
  const channel = await db().channel.findUnique({ where: { id: payload.channel_id } })
  const { about } = payload
  if (about === 'summary') await sendSummary(payload, channel, now, attempt)
  else await sendAbout({ ...payload, about }, channel, now, attempt)
}

/** Sends a message about one peck, unless an earlier attempt has no result. Tries again after an attempt that certainly failed. */
async function sendAbout(
  payload: Payload & { about: About },
  channel: Channel | null,
  now: Date,
  attempt: number,
): Promise<void> {
  const { about, peck_id: peckId, channel_id: channelId } = payload
  const peck = await findPeck(peckId, about === 'withdraw' ? null : now)
  if (peck === null) return
  const message = { peckId, channelId }
  const hasBegun = await beginAttempt(about, message, now)
  if (!hasBegun || channel === null)
    return transaction((tx) => giveUpMessage(tx, about, peck, channelId, now))
  const sent = await send(channel, peck, payload, now)
  if (sent === null) return
  const willRetry =
    !sent.hasEnded && certainFailures.has(sent.error) && messageRetrySeconds[attempt - 1] !== undefined
  await transaction(async (tx) => {
    await recordOutcome(tx, channel, sent, now)
    if (sent.error === null) await accept(tx, about, message, now)
    else if (willRetry) await allowRetry(tx, about, message)
    else await giveUpMessage(tx, about, peck, channelId, now)
  })
  if (willRetry) throw new NotDelivered('deferred', `the channel did not take the message: ${sent.error}`)
}

/** Returns the peck, and null unless it waits at `pendingAt`. */
async function findPeck(id: string, pendingAt: Date | null): Promise<PeckRow | null> {
  const waits = pendingAt === null ? sql`true` : sql`${isPendingAt(pendingAt, 'p')} AND ${unlessBlocked}`
  const [peck] = await readPecks(db(), sql`SELECT p.* FROM "Peck" p WHERE p."id" = ${id} AND ${waits}`)
  return peck ?? null
}

/** The number on the icon: requests of known askers that wait. */
async function countWaiting(ducklingId: string, now: Date): Promise<number> {
  const [row] = await db().rows<{ count: number }>`
    SELECT count(*)::int AS "count" FROM (SELECT 1 FROM "Peck" p
      WHERE p."targetDucklingId" = ${ducklingId} AND NOT p."blocked" AND NOT p."stranger" AND ${isPendingAt(now, 'p')} AND ${isWaitingAt(now, 'p')}
        AND ${isAmongKnown(ducklingId, 'p')} LIMIT 1000) waiting`
  return row?.count ?? 0
}

/** Whether the channel may name the value of a request. A stranger does not choose words that everybody on the channel reads. */
async function namesValue({ details }: Channel, peckId: string): Promise<boolean> {
  if (!details) return false
  const [row] = await db().rows<{ isOfKnown: boolean }>`
    SELECT ${isOfKnown} AS "isOfKnown" FROM "Peck" p WHERE p."id" = ${peckId}`
  return row?.isOfKnown ?? false
}

async function send(
  channel: Channel,
  peck: PeckRow,
  { about }: Payload,
  now: Date,
): Promise<ChannelSent | null> {
  const reader = await readReader(db(), channel.ducklingId)
  const read = (await firstLinesOf(db(), channel.ducklingId, [peck])).get(peck.id)
  const withValue = await namesValue(channel, peck.id)
  const options = { isReminder: about === 'remind', withValue, read }
  const note = writeFor(reader, () => peckNote(mailedPeck(peck, options), reader))
  const seconds = Math.floor((peck.expiresAt.getTime() - now.getTime()) / 1000)
  const message = {
    about: about === 'withdraw' ? ('withdraw' as const) : ('note' as const),
    note: { ...note, path: `/pecks/${peck.id}`, tag: peck.id, isHigh: peck.riskLevel === 'high' },
    waiting: await countWaiting(channel.ducklingId, now),
    ttl: Math.min(Math.max(seconds, 60), 28 * day),
    messageId: `${peck.id}-${about}`,
  }
  return sendNoted(channel, message, now)
}

/** Sends, and remembers whether the host answered in time. */
async function sendNoted(channel: Channel, message: ChannelMessage, now: Date): Promise<ChannelSent | null> {
  const sent = await sendToChannel(channel, message, now)
  if (sent !== null) noteHost(channel.hint, sent.error === 'timeout', now)
  return sent
}

/** Sends the message about several requests, once. Otherwise each of them falls back to mail. */
async function sendSummary(
  { peck_id: summaryId, channel_id: channelId }: Payload,
  channel: Channel | null,
  now: Date,
  attempt: number,
): Promise<void> {
  const pecks = await pecksOfSummary(db(), summaryId, channelId, now)
  if (pecks.length === 0) return
  // A second attempt follows one without a result.
  const sent = channel === null || attempt > 1 ? null : await sendSeveral(channel, summaryId, pecks, now)
  await transaction(async (tx) => {
    if (channel !== null && sent !== null) await recordOutcome(tx, channel, sent, now)
    for (const peck of pecks)
      if (sent?.error === null) await accept(tx, 'announce', { peckId: peck.id, channelId }, now)
      else await giveUp(tx, 'announce', peck, channelId, now)
  })
}

async function sendSeveral(
  channel: Channel,
  summaryId: string,
  pecks: PeckRow[],
  now: Date,
): Promise<ChannelSent | null> {
  const reader = await readReader(db(), channel.ducklingId)
  const isHigh = pecks.some(({ riskLevel }) => riskLevel === 'high')
  const note = writeFor(reader, () => severalNote(pecks.length))
  const message = {
    about: 'note' as const,
    note: { ...note, path: '/pecks', tag: summaryId, isHigh },
    waiting: await countWaiting(channel.ducklingId, now),
    ttl: day,
    messageId: summaryId,
  }
  return sendNoted(channel, message, now)
}
