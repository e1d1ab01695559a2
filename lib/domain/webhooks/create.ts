import { db } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, preparesOnly } from '@/lib/domain/sessions/proof'
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
 * Creates an endpoint and returns it with its secret. The secret cannot be read again later. A session of the device
 * flow only prepares it: it is switched off until its owner enables it (contract F, Sensitive changes). Throws `invalid_request`,
 * `too_many_webhooks` or the failures of `requireProof`.
 */
export async function createWebhook(
  context: DucklingContext<'too_many_webhooks' | 'invalid_request' | ProofFailure>,
  { url, kinds, description }: NewWebhook,
): Promise<WebhookInput & { secret: string }> {
  const { caller, now } = context
  const isPrepared = await preparesOnly(db(), context)
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
        ...(isPrepared ? { enabled: false, disabledReason: 'unconfirmed' } : {}),
      },
    })
    record(tx, context, 'webhook.created', {
      targets: [{ type: 'webhook', id }],
      metadata: { host: new URL(url).host, kinds: row.kinds, ...(isPrepared ? { prepared: true } : {}) },
    })
    announceChange(tx, context, isPrepared ? 'webhook_prepared' : 'webhook_created', id, new URL(url).host)
    return { ...presentWebhook(row, now), secret: secret.shown }
  })
}
