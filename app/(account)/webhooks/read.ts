import { cache } from 'react'
import { read } from '@/app/_web/read'
import type { ResponseOf } from '@/app/beak/_api/lines'

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
