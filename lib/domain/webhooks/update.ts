import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { dropPending } from './disable'
import { checkUrl } from './guard'
import { keptSession } from './made-by'
import { wakeAccount } from './queue'
import { presentWebhook, type WebhookInput } from './schema'

export interface WebhookChange {
  url?: string | undefined
  kinds?: string[] | undefined
  description?: string | null | undefined
  enabled?: boolean | undefined
}

/** Changes what is given. Throws `invalid_request` or `webhook_missing`. */
export async function updateWebhook(
  context: DucklingContext<'webhook_missing' | 'invalid_request'>,
  id: string,
  change: WebhookChange,
): Promise<WebhookInput> {
  const { caller, now } = context
  if (change.url !== undefined) await checkUrl(context, change.url)
  return transaction(async (tx) => {
    const [row] = await tx.webhookEndpoint.updateManyAndReturn({
      where: { id, ducklingId: caller.id },
      data: columnsOf(change),
    })
    if (!row) throw context.fail('webhook_missing')
    await tx.$executeRaw`UPDATE "WebhookEndpoint" SET "sessionId" = ${keptSession(caller)} WHERE "id" = ${id}`
    if (change.enabled === false) await dropPending(tx, id)
    await record(tx, context, 'webhook.updated', {
      targets: [{ type: 'webhook', id }],
      metadata: {
        changed: Object.keys(change).sort(),
        host: new URL(row.url).host,
        kinds: row.kinds,
        enabled: row.enabled,
      },
    })
    if (change.url !== undefined || change.enabled === true) await wakeAccount(tx, caller.id, now)
    return presentWebhook(row, now)
  })
}

const cleanRecord = { failingSince: null, timeouts: 0, pausedUntil: null }

/** Switched on again, or led elsewhere, an endpoint starts with a clean record. */
function columnsOf({ url, kinds, description, enabled }: WebhookChange) {
  return {
    ...(url === undefined ? {} : { url, ...cleanRecord }),
    ...(kinds === undefined ? {} : { kinds: [...new Set(kinds)] }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(enabled === undefined
      ? {}
      : enabled
        ? { enabled, disabledReason: null, ...cleanRecord }
        : { enabled, disabledReason: 'owner' }),
  }
}
