/** Enqueues the messages of webhooks in the transaction of their cause. */
import type { Tx } from '@/lib/db/client'
import { newId } from '@/lib/kernel/ids'
import { project } from '@/lib/kernel/projection'
import { type WebhookKind, webhookMessages } from './kinds'
import { storeAtEnd } from './store-events'

/**
 * Enqueues a message for each account that has an endpoint for the kind, with a delivery to each such endpoint. Also adds these accounts to the
 * queue, see `lib/domain/webhooks/queue.ts`. `data`: as the schema of the kind takes it. Throws when a member is missing.
 */
export function enqueueWebhooks(
  tx: Tx,
  now: Date,
  kind: WebhookKind,
  ducklingIds: string[],
  data: unknown,
): void {
  storeAtEnd(tx, {
    messages: ducklingIds.map((ducklingId) => ({ id: newId('message', now), ducklingId })),
    kind,
    data: JSON.stringify(project(webhookMessages[kind].data, data)),
    at: now,
  })
}
