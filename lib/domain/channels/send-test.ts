import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { spendToken } from '@/lib/infrastructure/budgets/budget'
import { record } from '@/lib/infrastructure/events/record'
import { minute } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { m } from '@/lib/kernel/messages'
import { recordOutcome } from './outcome'
import type { ChannelTestInput } from './schema'
import { sendToChannel } from './send'
import { errorDetail } from './words'

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
    firstLine: null,
    title: m.channels_test_title(),
    text: m.channels_test_text(),
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
