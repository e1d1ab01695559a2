/** Enqueues the messages of webhooks in the transaction of their cause. */
import type { Tx } from '@/lib/db/client'
import { newId } from '@/lib/kernel/ids'
import { project } from '@/lib/kernel/projection'
import { type WebhookKind, webhookMessages } from './kinds'
import { sendAtEnd } from './store-events'

/**
 * Writes one message for each duckling, and a delivery and an outbox row for each endpoint that subscribes to the kind. The same statement
 * adds the accounts to the queue, see `lib/domain/webhooks/queue.ts`. `data`: as the schema of the kind takes it. Throws when a member is missing.
 */
export function enqueueWebhooks(
  tx: Tx,
  now: Date,
  kind: WebhookKind,
  ducklingIds: string[],
  data: unknown,
): void {
  sendAtEnd(tx, {
    messages: ducklingIds.map((ducklingId) => ({ id: newId('message', now), ducklingId })),
    kind,
    data: JSON.stringify(project(webhookMessages[kind].data, data)),
    at: now,
  })
}
