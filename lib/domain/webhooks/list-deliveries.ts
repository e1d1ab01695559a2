import { db, Prisma } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import {
  type DeliveryInput,
  type DeliveryStatus,
  type ListedDelivery,
  presentDelivery,
  withAttempts,
} from './schema'

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
  const rows = await readNewest(ducklingId, filter, request)
  return pageOf(rows, request, ({ id }) => id, presentDelivery)
}

/** A delivery without its attempts. */
type StoredDelivery = Omit<ListedDelivery, 'message' | 'endpoint' | 'attempts'>

interface Row extends StoredDelivery {
  type: string
  data: ListedDelivery['message']['data']
  pausedUntil: Date | null
  /** As JSON, which has times as texts. */
  attempts: (Omit<ListedDelivery['attempts'][number], 'attemptedAt'> & { attemptedAt: string })[]
}

/**
 * Returns the deliveries of the page and one more. Reads at most one page from the index of each endpoint and then takes the newest, so a
 * long history costs no more than a short one.
 */
async function readNewest(
  ducklingId: string,
  { webhookId = null, status = null }: { webhookId?: string | null; status?: string | null },
  { after, limit }: PageRequest,
): Promise<ListedDelivery[]> {
  const older = after === null ? Prisma.empty : sql`AND "id" < ${after}`
  const ofStatus = status === null ? Prisma.empty : sql`AND "status" = ${status}::"DeliveryStatus"`
  const ofEndpoint = webhookId === null ? Prisma.empty : sql`AND e."id" = ${webhookId}`
  const rows = await db().rows<Row>`
    SELECT d.*, m."type", m."data", a."attempts"
    FROM (
      SELECT page."id", page."endpointId", page."messageId", page."status", page."createdAt", page."nextAttemptAt", e."pausedUntil"
      FROM "WebhookEndpoint" e CROSS JOIN LATERAL (
        SELECT * FROM "WebhookDelivery" WHERE "endpointId" = e."id" ${older} ${ofStatus}
        ORDER BY "id" DESC LIMIT ${limit + 1}::int
      ) page
      WHERE e."ducklingId" = ${ducklingId} ${ofEndpoint}
      ORDER BY page."id" DESC LIMIT ${limit + 1}::int
    ) d
    ${joinRow('WebhookMessage', 'm', 'd."messageId"')}
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(newest), '[]') AS "attempts" FROM (
        SELECT "attemptedAt", "statusCode", "latencyMs", "error", "response" FROM "WebhookAttempt"
        WHERE "deliveryId" = d."id" ORDER BY "id" DESC LIMIT ${withAttempts.attempts.take}::int
      ) newest
    ) a
    ORDER BY d."id" DESC`
  return rows.map(({ type, data, pausedUntil, attempts, ...delivery }) => ({
    ...delivery,
    message: { type, data },
    endpoint: { pausedUntil },
    attempts: attempts.map((attempt) => ({ ...attempt, attemptedAt: new Date(attempt.attemptedAt) })),
  }))
}
