import { db, type Prisma, type Tx } from '@/lib/db/client'
import { flush, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { deleteWaiting } from './queue'
import { warnReceiver } from './warn'

/**
 * Deletes an endpoint with its deliveries. An endpoint that another session created or changed warns the owner, so that it takes a recent
 * proof to delete it. Throws `webhook_not_found` and the failures of `requireProof`. The event is recorded first, because this locks the audit
 * chain of the caller: other events of the caller enqueue their webhooks under the same lock.
 */
export function deleteWebhook(
  context: DucklingContext<'webhook_not_found' | ProofFailure>,
  id: string,
): Promise<{ success: true; webhook_id: string }> {
  return transaction(async (tx) => {
    record(tx, context, 'webhook.deleted', { targets: [{ type: 'webhook', id }] })
    await flush(tx)
    // Read first, because the lock disables the endpoint.
    const endpoint = await tx.webhookEndpoint.findFirst({ where: { id, ducklingId: context.caller.id } })
    const ids = await lockEndpoints(tx, { id, ducklingId: context.caller.id })
    if (endpoint === null || ids.length !== 1) throw context.fail('webhook_not_found')
    if (endpoint.sessionId !== context.caller.sessionId) {
      await requireProof(tx, context)
      warnReceiver(tx, context, endpoint, 'deleted')
      announceChange(tx, context, 'webhook_deleted', { id, name: id }, new URL(endpoint.url).host)
    }
    await removeEndpoints(tx, ids)
    return { success: true, webhook_id: id }
  })
}

/**
 * Locks endpoints that are about to be removed, and disables them. Returns their ids in order. A delivery that ends needs the same
 * lock (record-attempt.ts), so the caller must remove everything that belongs to the endpoints after this call.
 */
export async function lockEndpoints(tx: Tx, where: Prisma.WebhookEndpointWhereInput): Promise<string[]> {
  const locked = await tx.webhookEndpoint.updateManyAndReturn({
    where,
    data: { enabled: false },
    select: { id: true },
  })
  return locked.map(({ id }) => id).sort()
}

/** Deletes locked endpoints with their deliveries and their waiting outbox rows. Records no event. */
export async function removeEndpoints(tx: Tx, ids: string[]): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { id: { in: ids } } })
  await deleteWaiting(tx, ids)
}

/** How long messages can be listed and redelivered. */
const retentionSeconds = 30 * day
const batch = 1000

/** Deletes messages after 30 days with their deliveries, and old secrets that no longer sign. Called by the worker. */
export async function deleteOldMessages(now: Date): Promise<void> {
  await db().webhookEndpoint.updateMany({
    where: { previousSecretUntil: { lte: now } },
    data: { previousSecret: null, previousSecretUntil: null },
  })
  const before = secondsAfter(now, -retentionSeconds)
  for (;;) {
    const count = await db().run`
      DELETE FROM "WebhookMessage" WHERE "id" IN (
        SELECT "id" FROM "WebhookMessage" WHERE "createdAt" < ${before}::timestamptz LIMIT ${batch}::int
      )`
    if (count < batch) return
  }
}
