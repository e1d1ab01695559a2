import { db, Prisma } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { type DeliveryInput, type DeliveryStatus, presentDelivery, withAttempts } from './schema'

export interface DeliveryFilter {
  webhookId?: string | undefined
  status?: DeliveryStatus | undefined
}

/** Returns the deliveries to one or all of the caller's endpoints, with their attempts. Throws `webhook_not_found`. */
export async function listDeliveries(
  context: DucklingContext<'webhook_not_found'>,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<Page<DeliveryInput>> {
  const { webhookId } = filter
  const ducklingId = context.caller.id
  if (webhookId !== undefined) {
    const endpoint = await db().webhookEndpoint.findFirst({ where: { id: webhookId, ducklingId } })
    if (!endpoint) throw context.fail('webhook_not_found')
  }
  const ids = await newestIds(ducklingId, filter, request)
  const rows = await db().webhookDelivery.findMany({
    where: { id: { in: ids } },
    orderBy: { id: 'desc' },
    include: withAttempts,
  })
  return pageOf(rows, request, ({ id }) => id, presentDelivery)
}

/**
 * Returns the ids of the page. Reads at most one page from the index of each endpoint and then takes the newest, so a long
 * history costs no more than a short one.
 */
async function newestIds(
  ducklingId: string,
  { webhookId = null, status = null }: { webhookId?: string | null; status?: string | null },
  { after, limit }: PageRequest,
): Promise<string[]> {
  const older = after === null ? Prisma.empty : sql`AND "id" < ${after}`
  const ofStatus = status === null ? Prisma.empty : sql`AND "status" = ${status}::"DeliveryStatus"`
  const ofEndpoint = webhookId === null ? Prisma.empty : sql`AND e."id" = ${webhookId}`
  const rows = await db().rows<{ id: string }>`
    SELECT d."id" FROM "WebhookEndpoint" e CROSS JOIN LATERAL (
      SELECT "id" FROM "WebhookDelivery" WHERE "endpointId" = e."id" ${older} ${ofStatus}
      ORDER BY "id" DESC LIMIT ${limit + 1}::int
    ) d
    WHERE e."ducklingId" = ${ducklingId} ${ofEndpoint}
    ORDER BY d."id" DESC LIMIT ${limit + 1}::int`
  return rows.map(({ id }) => id)
}
