import type { Tx } from '@/lib/db/client'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { type Context, systemContext } from '@/lib/kernel/request/context'
import { deleteWaiting } from './queue'
import type { DisabledReason } from './schema'

/** The reasons that the answers of an endpoint give. */
type AnswerReason = Extract<DisabledReason, 'gone' | 'failing'>

/** For workers of version 0.2.0, which write the mail with this text. */
const explanations: Record<AnswerReason, string> = {
  gone: 'it answered 410 Gone',
  failing: 'it has failed for 120 hours',
}

/** Disables an endpoint because of its answers, records the event and enqueues a notice. Does nothing when it is already disabled. */
export async function disableWebhook(
  tx: Tx,
  now: Date,
  endpoint: { id: string; ducklingId: string },
  reason: AnswerReason,
): Promise<void> {
  const { id, ducklingId } = endpoint
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, enabled: true },
    data: { enabled: false, disabledReason: reason },
  })
  if (count !== 1) return
  await failPending(tx, id)
  record(tx, systemContext(now), 'webhook.disabled', {
    concerning: [ducklingId],
    actor: systemActor,
    targets: [{ type: 'webhook', id }],
    metadata: { reason },
  })
  // The notice names the id and not the URL, because paths and queries of receivers often contain tokens.
  enqueueNotice(tx, now, ducklingId, 'webhook_disabled', {
    endpoint: id,
    why: explanations[reason],
    disabled_reason: reason,
  })
}

/**
 * Disables endpoints until the owner enables each with a recent proof: for the undo of a change of address. Endpoints that are disabled
 * already get the same reason.
 */
export async function holdEndpoints(
  tx: Tx,
  context: Context,
  ducklingId: string,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.webhookEndpoint.updateMany({
    where: { id: { in: ids } },
    data: { enabled: false, disabledReason: 'email_restored' satisfies DisabledReason },
  })
  for (const id of ids) await failPending(tx, id)
  record(tx, context, 'webhook.disabled', {
    concerning: [ducklingId],
    targets: ids.map((id) => ({ type: 'webhook', id })),
    metadata: { reason: 'email_restored' },
  })
}

/** Marks the pending deliveries of a disabled endpoint as failed. The owner can redeliver each after enabling the endpoint. */
export async function failPending(tx: Tx, endpointId: string): Promise<void> {
  await tx.webhookDelivery.updateMany({
    where: { endpointId, status: 'pending' },
    data: { status: 'failed', nextAttemptAt: null },
  })
  await deleteWaiting(tx, [endpointId])
}
