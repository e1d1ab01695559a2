import { lockName, transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { checkUrl } from './guard'
import { presentWebhook, type WebhookInput } from './schema'
import { mintSecret } from './secret'

const endpointsMax = 20

export interface NewWebhook {
  url: string
  /** An empty list means all kinds. */
  kinds: string[]
  description: string | null
}

/**
 * Creates an endpoint and returns it with its secret. The secret cannot be read again later. Throws `invalid_request` or
 * `too_many_webhooks`.
 */
export async function createWebhook(
  context: DucklingContext<'too_many_webhooks' | 'invalid_request'>,
  { url, kinds, description }: NewWebhook,
): Promise<WebhookInput & { secret: string }> {
  const { caller, now } = context
  await checkUrl(context, url)
  const id = newId('webhook', now)
  const secret = mintSecret(id)
  return transaction(async (tx) => {
    await lockName(tx, `webhooks:${caller.id}`)
    if ((await tx.webhookEndpoint.count({ where: { ducklingId: caller.id } })) >= endpointsMax)
      throw context.fail('too_many_webhooks')
    const row = await tx.webhookEndpoint.create({
      data: {
        id,
        ducklingId: caller.id,
        url,
        kinds: [...new Set(kinds)],
        description: description || null,
        secret: secret.sealed,
        createdAt: now,
        sessionId: caller.sessionId,
      },
    })
    record(tx, context, 'webhook.created', {
      targets: [{ type: 'webhook', id }],
      metadata: { host: new URL(url).host, kinds: row.kinds },
    })
    return { ...presentWebhook(row, now), secret: secret.shown }
  })
}
