import { db } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { presentWebhook, type WebhookInput } from './schema'

/** Returns the caller's endpoints, newest first, without their secrets. */
export async function listWebhooks(
  context: DucklingContext,
  request: PageRequest,
): Promise<Page<WebhookInput>> {
  const rows = await db().webhookEndpoint.findMany({
    where: {
      ducklingId: context.caller.id,
      ...(request.after === null ? {} : { id: { lt: request.after } }),
    },
    orderBy: { id: 'desc' },
    take: request.limit + 1,
  })
  return pageOf(
    rows,
    request,
    ({ id }) => id,
    (row) => presentWebhook(row, context.now),
  )
}
