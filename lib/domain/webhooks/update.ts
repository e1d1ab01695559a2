import { flush, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { changedNow } from './changed-now'
import { failPending } from './disable'
import { checkUrl } from './guard'
import { wakeAccount } from './queue'
import { presentWebhook, type WebhookInput } from './schema'
import { warnReceiver } from './warn'

export interface WebhookChange {
  url?: string | undefined
  kinds?: string[] | undefined
  description?: string | null | undefined
  enabled?: boolean | undefined
}

/** Changes the given properties of an endpoint. Throws `invalid_request` or `webhook_not_found`. */
export async function updateWebhook(
  context: DucklingContext<'webhook_not_found' | 'invalid_request'>,
  id: string,
  change: WebhookChange,
): Promise<WebhookInput> {
  const { caller, now } = context
  if (change.url !== undefined) await checkUrl(context, change.url)
  return transaction(async (tx) => {
    const before = await tx.webhookEndpoint.findFirst({ where: { id, ducklingId: caller.id } })
    const [row] = await tx.webhookEndpoint.updateManyAndReturn({
      where: { id, ducklingId: caller.id },
      data: columnsOf(change),
    })
    if (before === null || !row) throw context.fail('webhook_not_found')
    await tx.run`UPDATE "WebhookEndpoint" SET ${changedNow(context)} WHERE "id" = ${id}`
    if (change.enabled === false) await failPending(tx, id)
    record(tx, context, 'webhook.updated', {
      targets: [{ type: 'webhook', id }],
      metadata: {
        changed: Object.keys(change).sort(),
        host: new URL(row.url).host,
        kinds: row.kinds,
        enabled: row.enabled,
      },
    })
    warnReceiver(tx, context, before, 'changed')
    announceChange(tx, context, 'webhook_changed', id, new URL(before.url).host)
    if (change.url !== undefined || change.enabled === true) {
      await flush(tx)
      await wakeAccount(tx, caller.id, now)
    }
    return presentWebhook(row, now)
  })
}

const noFailures = { failingSince: null, timeouts: 0, pausedUntil: null }

/** Returns the changed columns. A new URL and enabling also reset the failures. */
function columnsOf({ url, kinds, description, enabled }: WebhookChange) {
  return {
    ...(url === undefined ? {} : { url, ...noFailures }),
    ...(kinds === undefined ? {} : { kinds: [...new Set(kinds)] }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(enabled === undefined
      ? {}
      : enabled
        ? { enabled, disabledReason: null, ...noFailures }
        : { enabled, disabledReason: 'owner' }),
  }
}
