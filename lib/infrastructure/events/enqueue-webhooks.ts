/** Enqueues the messages of webhooks in the transaction of their cause. */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommitTogether } from '@/lib/db/transaction'
import { newId } from '@/lib/kernel/ids'
import { project } from '@/lib/kernel/projection'
import { type WebhookKind, webhookMessages } from './kinds'
import { wakeWorker } from './outbox'

/**
 * Writes one message for each duckling, and a delivery and an outbox row for each endpoint that subscribes to the kind. The same statement
 * adds the accounts to the queue, see `lib/domain/webhooks/queue.ts`. `data`: as the schema of the kind takes it. Throws when a member is missing.
 */
export function enqueueWebhooks(
  tx: Tx,
  now: Date,
  kind: WebhookKind,
  ducklingIds: string[],
  data: unknown,
): void {
  const messages = ducklingIds.map((ducklingId) => ({ id: newId('message', now), ducklingId }))
  beforeCommitTogether<WebhookEvent>(tx, {
    key: `webhooks ${now.getTime()}`,
    item: { messages, kind, data: JSON.stringify(project(webhookMessages[kind].data, data)) },
    build: (events) => [storeMessages(events, now)],
    changed: (enqueued) => {
      if (enqueued > 0) wakeWorker(tx, 'webhook')
    },
  })
}

interface WebhookEvent {
  messages: { id: string; ducklingId: string }[]
  kind: string
  /** JSON. */
  data: string
}

/** Returns the statement that stores the messages that an endpoint wants, and enqueues a delivery to each of these. */
function storeMessages(events: WebhookEvent[], now: Date): Sql {
  // One value, because PostgreSQL takes at most 65,535, and so that the text of the statement stays the same.
  const sent = JSON.stringify(events)
  return sql`
    WITH sent AS (
      SELECT m."id", m."ducklingId", e."kind" AS "type", e."data"::jsonb AS "data"
      FROM json_to_recordset(${sent}::json) AS e("messages" json, "kind" text, "data" text)
      CROSS JOIN json_to_recordset(e."messages") AS m("id" text, "ducklingId" text)
    ), wanted AS (
      SELECT e."id", sent."id" AS "messageId", replace(sent."id", 'MSG-', 'DLV-') || right(e."id", 6) AS "deliveryId",
        sent."ducklingId", sent."type", sent."data"
      FROM sent JOIN "WebhookEndpoint" e ON e."ducklingId" = sent."ducklingId" AND e."enabled" AND (e."kinds" = '{}' OR sent."type" = ANY(e."kinds"))
    ), message AS (
      INSERT INTO "WebhookMessage" ("id", "ducklingId", "type", "data", "createdAt")
      SELECT DISTINCT ON ("messageId") "messageId", "ducklingId", "type", "data", ${now}::timestamptz FROM wanted
    ), delivery AS (
      INSERT INTO "WebhookDelivery" ("id", "messageId", "endpointId", "status", "createdAt", "nextAttemptAt")
      SELECT "deliveryId", "messageId", "id", 'pending', ${now}::timestamptz, ${now}::timestamptz
      FROM wanted
    ), queued AS (
      INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt")
      SELECT DISTINCT "ducklingId", ${now}::timestamptz FROM wanted ORDER BY "ducklingId"
      ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")
    )
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "ducklingId", "endpointId")
    SELECT 'webhook', jsonb_build_object('delivery_id', "deliveryId"),
      ${now}::timestamptz, ${now}::timestamptz, "ducklingId", "id"
    FROM wanted`
}
