-- Stores the messages that an endpoint of their account wants, a delivery to each of these endpoints, and its row in the outbox
-- (lib/infrastructure/events/store-events.ts). `webhooks` is a list of {messages: [{id, ducklingId}], kind, data, at}, where `data` is the text of
-- a JSON object. Returns how many deliveries it enqueued. Most accounts have no endpoint: the first query finds that out, because starting the
-- four inserts takes longer. It is VOLATILE, so it sees the endpoints as they are after the audit chains were locked.
-- LATERAL with OFFSET 0 keeps the order of the join: the planner might else read all endpoints first.
-- \x3b is the semicolon: Prisma's pg adapter cuts a script at every literal one, in a function's body too.
CREATE FUNCTION enqueue_webhooks(webhooks json) RETURNS integer VOLATILE LANGUAGE plpgsql AS E'
DECLARE
  enqueued integer\x3b
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM json_to_recordset(webhooks) AS w("messages" json) CROSS JOIN json_to_recordset(w."messages") AS m("ducklingId" text)
    CROSS JOIN LATERAL (SELECT 1 FROM "WebhookEndpoint" WHERE "ducklingId" = m."ducklingId" AND "enabled" OFFSET 0) e
  ) THEN
    RETURN 0\x3b
  END IF\x3b
  WITH wanted AS (
    SELECT e."id", m."id" AS "messageId", replace(m."id", ''MSG-'', ''DLV-'') || right(e."id", 6) AS "deliveryId",
      m."ducklingId", w."kind" AS "type", w."data"::jsonb AS "data", w."at"
    FROM json_to_recordset(webhooks) AS w("messages" json, "kind" text, "data" text, "at" timestamptz)
    CROSS JOIN json_to_recordset(w."messages") AS m("id" text, "ducklingId" text)
    CROSS JOIN LATERAL (
      SELECT "id" FROM "WebhookEndpoint"
      WHERE "ducklingId" = m."ducklingId" AND "enabled" AND ("kinds" = ''{}'' OR w."kind" = ANY("kinds")) OFFSET 0
    ) e
  ), message AS (
    INSERT INTO "WebhookMessage" ("id", "ducklingId", "type", "data", "createdAt")
    SELECT DISTINCT ON ("messageId") "messageId", "ducklingId", "type", "data", "at" FROM wanted
  ), delivery AS (
    INSERT INTO "WebhookDelivery" ("id", "messageId", "endpointId", "status", "createdAt", "nextAttemptAt")
    SELECT "deliveryId", "messageId", "id", ''pending'', "at", "at" FROM wanted
  ), queued AS (
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt")
    SELECT "ducklingId", min("at") FROM wanted GROUP BY "ducklingId" ORDER BY "ducklingId"
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")
  )
  INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "ducklingId", "endpointId")
  SELECT ''webhook'', jsonb_build_object(''delivery_id'', "deliveryId"), "at", "at", "ducklingId", "id" FROM wanted\x3b
  GET DIAGNOSTICS enqueued = ROW_COUNT\x3b
  RETURN enqueued\x3b
END';
