/** Enqueues the messages of webhooks in the transaction of their cause. */
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommitTogether } from '@/lib/db/transaction'
import { newId } from '@/lib/kernel/ids'
import type { EventKind, WebhookKind } from './kinds'
import { wakeWorker } from './outbox'

/**
 * Writes one message for a duckling, and a delivery and an outbox row for each endpoint that subscribes to the kind. The same statement
 * adds the account to the queue, see `lib/domain/webhooks/queue.ts`.
 */
export function enqueueWebhooks(
  tx: Tx,
  now: Date,
  kind: EventKind | WebhookKind,
  ducklingId: string,
  data: unknown,
): void {
  const item: WebhookMessage = { id: newId('message', now), kind, data: JSON.stringify(data) }
  beforeCommitTogether(
    tx,
    {
      key: `webhooks ${ducklingId} ${now.getTime()}`,
      item,
      build: (messages: WebhookMessage[]) => storeMessages(ducklingId, messages, now),
    },
    {
      changed: (enqueued) => {
        if (enqueued > 0) wakeWorker(tx, 'webhook')
      },
    },
  )
}

interface WebhookMessage {
  id: string
  kind: string
  /** JSON. */
  data: string
}

/** Returns the statement that stores the messages that an endpoint wants, and enqueues a delivery to each of these. */
function storeMessages(ducklingId: string, messages: WebhookMessage[], now: Date): Sql {
  const rows = messages.map(({ id, kind, data }) => sql`(${id}, ${kind}, ${data}::jsonb)`)
  return sql`
    WITH wanted AS (
      SELECT e."id", sent."id" AS "messageId", sent."type", sent."data"
      FROM (VALUES ${Prisma.join(rows)}) AS sent("id", "type", "data")
      JOIN "WebhookEndpoint" e ON e."ducklingId" = ${ducklingId} AND e."enabled" AND (e."kinds" = '{}' OR sent."type" = ANY(e."kinds"))
    ), message AS (
      INSERT INTO "WebhookMessage" ("id", "ducklingId", "type", "data", "createdAt")
      SELECT DISTINCT ON ("messageId") "messageId", ${ducklingId}, "type", "data", ${now}::timestamptz FROM wanted
      RETURNING "id"
    ), delivery AS (
      INSERT INTO "WebhookDelivery" ("id", "messageId", "endpointId", "status", "createdAt", "nextAttemptAt")
      SELECT replace("messageId", 'MSG-', 'DLV-') || right("id", 6), "messageId", "id", 'pending', ${now}::timestamptz, ${now}::timestamptz
      FROM wanted
      RETURNING "id", "endpointId"
    ), queued AS (
      INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt")
      SELECT ${ducklingId}, ${now}::timestamptz WHERE EXISTS (SELECT 1 FROM message)
      ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")
    )
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "ducklingId", "endpointId")
    SELECT 'webhook', jsonb_build_object('delivery_id', delivery."id"), ${now}::timestamptz, ${now}::timestamptz, ${ducklingId}, delivery."endpointId"
    FROM delivery`
}
