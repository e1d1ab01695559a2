import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { keptSession } from './made-by'
import { presentWebhook, type WebhookInput } from './schema'
import { mintSecret, rotationSeconds } from './secret'

/**
 * Gives an endpoint a new secret, shown this once; for 24 hours the old one signs too. Throws `webhook_missing`.
 * Spec silent: at a second rotation within that time the oldest secret stops signing.
 */
export function rotateWebhookSecret(
  context: DucklingContext<'webhook_missing'>,
  id: string,
): Promise<WebhookInput & { secret: string }> {
  const { caller, now } = context
  const secret = mintSecret(id)
  return transaction(async (tx) => {
    // One statement: of two simultaneous rotations the later one keeps the secret of the earlier.
    const count = await tx.$executeRaw`
      UPDATE "WebhookEndpoint" SET "previousSecret" = "secret", "secret" = ${secret.sealed},
        "previousSecretUntil" = ${secondsAfter(now, rotationSeconds)}::timestamptz, "sessionId" = ${keptSession(caller)}
      WHERE "id" = ${id} AND "ducklingId" = ${caller.id}`
    if (count !== 1) throw context.fail('webhook_missing')
    await record(tx, context, 'webhook.rotated', { targets: [{ type: 'webhook', id }] })
    const row = await tx.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    return { ...presentWebhook(row, now), secret: secret.shown }
  })
}
