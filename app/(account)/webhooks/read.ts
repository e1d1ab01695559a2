import { cache } from 'react'
import { read } from '@/app/_web/page-read'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { eventGroups, webhookKinds } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'

export type Webhook = ResponseOf<'GET /beak/webhook/list'>['items'][number]
export type DeliveryPage = ResponseOf<'GET /beak/webhook/deliveries'>
export type Delivery = DeliveryPage['items'][number]

/** Returns all webhooks of the viewer. An account has at most 20, so one page holds them. */
export async function readWebhooks(): Promise<Webhook[]> {
  return (await read('GET /beak/webhook/list', { query: { limit: '100' } })).items
}

/** Returns one of the viewer's webhooks, or null. */
export const findWebhook = cache(
  async (id: string): Promise<Webhook | null> =>
    (await readWebhooks()).find(({ webhook_id }) => webhook_id === id) ?? null,
)

/** Returns the description of a webhook, or the host of its URL. */
export function nameOf({ description, url }: Webhook): string {
  return description ?? new URL(url).host
}

export const statuses = ['delivered', 'pending', 'failed'] as const satisfies Delivery['status'][]
export type Status = (typeof statuses)[number]

/** Returns deliveries of one webhook, newest first. */
export function readDeliveries(
  webhookId: string,
  { limit = '20', status, cursor }: { limit?: string; status?: Status; cursor?: string } = {},
): Promise<DeliveryPage> {
  return read('GET /beak/webhook/deliveries', {
    query: {
      webhook_id: webhookId,
      limit,
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    },
  })
}

/** The messages that no event has. */
const ownMessages = new Set<string>(['webhook.changed', 'webhook.test'])

/** The kinds that are sent to webhooks, in their groups. */
export const kindGroups = eventGroups
  .map(({ name, label, kinds }) => {
    const own = new Set<string>(kinds)
    return {
      name,
      legend: label,
      kinds: webhookKinds.filter((kind) => (ownMessages.has(kind) ? name === 'webhooks' : own.has(kind))),
    }
  })
  .filter(({ kinds }) => kinds.length > 0)

/** Returns the kinds of a webhook as text: their names, or their number when there are more than three. */
export function kindsText(kinds: string[]): string {
  if (kinds.length === 0) return m.webhooks_all_events()
  return kinds.length <= 3 ? kinds.join(', ') : m.webhooks_count_kinds_of_events({ count: kinds.length })
}
