import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { changedNow } from './changed-now'
import { presentWebhook, type WebhookInput } from './schema'
import { mintSecret, rotationSeconds } from './secret'
import { warnReceiver } from './warn'

/**
 * Replaces the secret of an endpoint and returns the new one, which cannot be read again later. The old secret also signs for 24
 * hours. Throws `webhook_not_found`.
 * A second rotation within 24 hours ends the oldest secret (contract G).
 */
export function rotateWebhookSecret(
  context: DucklingContext<'webhook_not_found'>,
  id: string,
): Promise<WebhookInput & { secret: string }> {
  const { caller, now } = context
  const secret = mintSecret(id)
  return transaction(async (tx) => {
    const before = await tx.webhookEndpoint.findFirst({ where: { id, ducklingId: caller.id } })
    // One statement, so that the later of two simultaneous rotations keeps the secret of the earlier one.
    const count = await tx.run`
      UPDATE "WebhookEndpoint" SET "previousSecret" = "secret", "secret" = ${secret.sealed},
        "previousSecretUntil" = ${secondsAfter(now, rotationSeconds)}::timestamptz, ${changedNow(context)}
      WHERE "id" = ${id} AND "ducklingId" = ${caller.id}`
    if (before === null || count !== 1) throw context.fail('webhook_not_found')
    record(tx, context, 'webhook.rotated', { targets: [{ type: 'webhook', id }] })
    const row = await tx.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    warnReceiver(tx, context, before, 'secret_changed')
    announceChange(tx, context, 'webhook_secret_changed', id, new URL(row.url).host)
    return { ...presentWebhook(row, now), secret: secret.shown }
  })
}
