-- Stores the messages that an endpoint of their account wants, a delivery to each of these endpoints, and its row in the queue
-- (lib/infrastructure/events/store-events.ts). `sent` is a list of {messages: [{id, ducklingId}], kind, data, at}, where `data` is the text of a
-- JSON object. Returns how many deliveries there are. Most accounts have no endpoint, and then nothing else is prepared to be written.
-- \x3b is the semicolon: Prisma's pg adapter cuts a script at every literal one, in a function's body too.
CREATE FUNCTION enqueue_webhooks(sent json) RETURNS integer LANGUAGE plpgsql AS E'
DECLARE
  enqueued integer\x3b
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM json_to_recordset(sent) AS s("messages" json) CROSS JOIN json_to_recordset(s."messages") AS m("ducklingId" text)
    JOIN "WebhookEndpoint" e ON e."ducklingId" = m."ducklingId" AND e."enabled"
  ) THEN
    RETURN 0\x3b
  END IF\x3b
  WITH wanted AS (
    SELECT e."id", m."id" AS "messageId", replace(m."id", ''MSG-'', ''DLV-'') || right(e."id", 6) AS "deliveryId",
      m."ducklingId", s."kind" AS "type", s."data"::jsonb AS "data", s."at"
    FROM json_to_recordset(sent) AS s("messages" json, "kind" text, "data" text, "at" timestamptz)
    CROSS JOIN json_to_recordset(s."messages") AS m("id" text, "ducklingId" text)
    JOIN "WebhookEndpoint" e ON e."ducklingId" = m."ducklingId" AND e."enabled" AND (e."kinds" = ''{}'' OR s."kind" = ANY(e."kinds"))
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
