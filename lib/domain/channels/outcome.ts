import { db, type Tx } from '@/lib/db/client'
import type { Channel } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import type { Sent } from '@/lib/domain/webhooks/send'
import { spendToken } from '@/lib/infrastructure/budgets/budget'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { NoteTexts } from '@/lib/infrastructure/mail/notice'
import { m } from '@/lib/kernel/messages'
import { type Context, type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import type { ChannelTestInput } from './schema'
import { type ChannelSent, sendToChannel } from './send'

/** A channel whose messages fail for this long no longer counts: mail announces instead. */
const failingSecondsMax = day

/** Whether a channel has failed for so long that other channels announce instead. */
export function isFailing({ failingSince }: Pick<Channel, 'failingSince'>, now: Date): boolean {
  return failingSince !== null && failingSince <= secondsAfter(now, -failingSecondsMax)
}

/** Whether a failing channel is tried again: once a day. */
export function isTriedAgain({ lastTriedAt }: Pick<Channel, 'lastTriedAt'>, now: Date): boolean {
  return lastTriedAt === null || lastTriedAt <= secondsAfter(now, -failingSecondsMax)
}

/**
 * Records what came back from a channel. Deletes a channel whose subscription has ended. The log of the owner gets an event when that happens,
 * and when a channel has failed for a day.
 */
export async function recordOutcome(tx: Tx, channel: Channel, sent: ChannelSent, now: Date): Promise<void> {
  const { id, ducklingId, kind, hint } = channel
  const details = {
    concerning: [ducklingId],
    actor: systemActor,
    targets: [{ type: 'channel' as const, id }],
    metadata: { kind, host: hint },
  }
  const context: Context = systemContext(now)
  if (sent.hasEnded) {
    const { count } = await tx.channel.deleteMany({ where: { id, targetHash: channel.targetHash } })
    if (count === 1) record(tx, context, 'channel.ended', details)
    return
  }
  if (sent.error === null) {
    await tx.run`
      UPDATE "Channel" SET "lastTriedAt" = ${now}::timestamptz, "lastSucceededAt" = ${now}::timestamptz, "lastError" = NULL,
        "failingSince" = NULL WHERE "id" = ${id}`
    return
  }
  const [row] = await tx.rows<{ isNew: boolean }>`
    UPDATE "Channel" c SET "lastTriedAt" = ${now}::timestamptz, "lastError" = ${sent.error},
      "failingSince" = coalesce(c."failingSince", ${now}::timestamptz)
    FROM (SELECT "id", "failingSince", "lastTriedAt" FROM "Channel" WHERE "id" = ${id} FOR NO KEY UPDATE) old WHERE c."id" = old."id"
    RETURNING coalesce(old."failingSince" <= ${secondsAfter(now, -failingSecondsMax)}::timestamptz
      AND old."lastTriedAt" < old."failingSince" + ${failingSecondsMax}::int * interval '1 second', false) AS "isNew"`
  if (row?.isNew === true) record(tx, context, 'channel.failing', details)
}

const details: Record<NonNullable<Sent['error']>, () => string> = {
  timeout: m.channels_error_timeout,
  refused: m.channels_error_refused,
  unreachable: m.channels_error_unreachable,
  reset: m.channels_error_reset,
  name_not_found: m.channels_error_name_not_found,
  blocked_address: m.channels_error_blocked_address,
  tls: m.channels_error_tls,
  redirect: m.channels_error_redirect,
  http_status: m.channels_error_http_status,
  invalid_response: m.channels_error_invalid_response,
  network: m.channels_error_network,
}

/** Returns in words what went wrong. Null after a success. */
function errorDetail({ error, hasEnded }: ChannelSent): string | null {
  if (hasEnded) return m.channels_error_ended()
  return error === null ? null : details[error]()
}

/** Returns the texts of a test message. */
export const testNote = (): NoteTexts => ({
  firstLine: null,
  title: m.channels_test_title(),
  text: m.channels_test_text(),
})

/**
 * Sends a test message to a channel and returns what came back, without the answer of the target: it may be a private host. Throws
 * `channel_not_found`, also for mail, and `rate_limited`.
 */
export async function testChannel(
  context: DucklingContext<'channel_not_found' | 'rate_limited'>,
  id: string,
): Promise<ChannelTestInput> {
  const { caller, now } = context
  const channel = await db().channel.findFirst({ where: { id, ducklingId: caller.id } })
  if (channel === null) throw context.fail('channel_not_found')
  await spendToken(context, 'rings', `${caller.id} test`)
  const note = {
    ...testNote(),
    path: '/notifications',
    tag: newId('message', now),
    isHigh: false,
  }
  const message = { about: 'note' as const, note, waiting: 0, ttl: minute, messageId: note.tag }
  const sent = await sendToChannel(channel, message, now)
  if (sent === null) throw context.fail('channel_not_found')
  await transaction(async (tx) => {
    record(tx, context, 'channel.tested', {
      targets: [{ type: 'channel', id }],
      metadata: {
        host: channel.hint,
        delivered: sent.error === null,
        status_code: sent.statusCode,
        error: sent.error,
      },
    })
    await recordOutcome(tx, channel, sent, now)
  })
  return {
    success: sent.error === null,
    status_code: sent.statusCode,
    latency_ms: sent.latencyMs,
    error: sent.error,
    detail: errorDetail(sent),
  }
}
