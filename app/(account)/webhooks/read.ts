import { cache } from 'react'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'

export type Webhook = Awaited<ReturnType<typeof readWebhooks>>[number]
export type DeliveryPage = Awaited<ReturnType<typeof readDeliveries>>
export type Delivery = DeliveryPage['items'][number]

/** All of the viewer's endpoints: at most 20, so one page holds them. */
export async function readWebhooks() {
  const result = await api('GET /beak/webhook/list', { query: { limit: '100' } })
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data.items
}

/** One of them, or null. */
export const findWebhook = cache(
  async (id: string): Promise<Webhook | null> =>
    (await readWebhooks()).find(({ webhook_id }) => webhook_id === id) ?? null,
)

/** What the viewer calls it: its description, or else where it leads. */
export function nameOf({ description, url }: Webhook): string {
  return description ?? new URL(url).host
}

export const statuses = ['delivered', 'pending', 'failed'] as const
export type Status = (typeof statuses)[number]

/** Deliveries to one endpoint, newest first. */
export async function readDeliveries(
  webhookId: string,
  { limit = '20', status, cursor }: { limit?: string; status?: Status; cursor?: string } = {},
) {
  const result = await api('GET /beak/webhook/deliveries', {
    query: {
      webhook_id: webhookId,
      limit,
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    },
  })
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
}
