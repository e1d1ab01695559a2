import { db, Prisma, type Tx } from '@/lib/db/client'
import { joinRow, sql } from '@/lib/db/sql'
import { flush, transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { enqueueDelivery } from './queue'
import {
  type DeliveryInput,
  type DeliveryName,
  type DeliveryStatus,
  type ListedDelivery,
  presentDelivery,
  presentWebhook,
  type WebhookInput,
  withAttempts,
} from './schema'

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

/**
 * Enqueues a delivery again, with the same `webhook-id` and all attempts. A retry that is still waiting becomes void, so the
 * message is not sent twice. Throws `webhook_not_found`, `webhook_disabled`, or `invalid_request` when the body matches several
 * deliveries.
 */
export function redeliverWebhook(
  context: DucklingContext<'webhook_not_found' | 'webhook_disabled' | 'invalid_request'>,
  name: DeliveryName,
): Promise<DeliveryInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const delivery = await getNamed(tx, context, name)
    if (!delivery.endpoint.enabled) throw context.fail('webhook_disabled')
    const [enqueued] = await tx.webhookDelivery.updateManyAndReturn({
      where: { id: delivery.id },
      data: { round: { increment: 1 }, status: 'pending', nextAttemptAt: now },
      select: { id: true, round: true },
    })
    if (!enqueued) throw context.fail('webhook_not_found')
    record(tx, context, 'webhook.redelivered', {
      targets: [
        { type: 'webhook', id: delivery.endpoint.id },
        { type: 'message', id: delivery.messageId },
      ],
    })
    await flush(tx)
    await enqueueDelivery(tx, now, {
      ducklingId: caller.id,
      endpointId: delivery.endpoint.id,
      deliveryId: enqueued.id,
      round: enqueued.round,
    })
    const row = await tx.webhookDelivery.findUniqueOrThrow({
      where: { id: enqueued.id },
      include: withAttempts,
    })
    return presentDelivery(row)
  })
}

/** Returns the delivery that the body names. Throws `webhook_not_found`, or `invalid_request` when several match. */
async function getNamed(
  tx: Tx,
  context: DucklingContext<'webhook_not_found' | 'invalid_request'>,
  name: DeliveryName,
) {
  const { delivery_id, message_id, webhook_id } = name
  const [delivery, another] = await tx.webhookDelivery.findMany({
    where: {
      ...(delivery_id === undefined ? {} : { id: delivery_id }),
      ...(message_id === undefined ? {} : { messageId: message_id }),
      ...(webhook_id === undefined ? {} : { endpointId: webhook_id }),
      endpoint: { ducklingId: context.caller.id },
    },
    take: 2,
    select: { id: true, messageId: true, endpoint: { select: { id: true, enabled: true } } },
  })
  if (!delivery) throw context.fail('webhook_not_found')
  if (another) {
    const message = 'is required, because the message was sent to several of your endpoints'
    throw context.fail('invalid_request', { errors: [{ field: 'webhook_id', message }] })
  }
  return delivery
}
