-- Appends one event to the log of its account (lib/infrastructure/events/record.ts), so that one statement can append several. `head` and
-- `tail` are the canonical JSON of the event before the hash of the previous event, and after its number. The chain is locked until the
-- transaction ends. A closed log takes no event, a suspended one none that is required, and none an event of a stopped session.
-- Returns whether the event was appended. Fails when it is required and was not.
-- \x3b is the semicolon: Prisma's pg adapter cuts a script at every literal one, in a function's body too.
CREATE FUNCTION append_audit_event(
  head text, tail text, first_hash text, is_required boolean, acting_session text, is_dry_run boolean, ip text, user_agent text, salt text
) RETURNS boolean LANGUAGE plpgsql AS E'
DECLARE
  event jsonb := (head || ''","seq":0'' || tail)::jsonb\x3b
  link record\x3b
BEGIN
  INSERT INTO "AuditChain" AS c ("ducklingId", "seq", "prevHash", "hash")
  SELECT event ->> ''duckling_id'', 1, first_hash,
    encode(sha256(convert_to(head || first_hash || ''","seq":1'' || tail, ''UTF8'')), ''hex'')
  WHERE NOT is_dry_run
  ON CONFLICT ("ducklingId") DO UPDATE SET
    "seq" = c."seq" + 1,
    "prevHash" = c."hash",
    "hash" = encode(sha256(convert_to(head || c."hash" || ''","seq":'' || (c."seq" + 1)::text || tail, ''UTF8'')), ''hex''),
    "logPending" = true
  WHERE NOT c."closed" AND NOT (c."suspended" AND is_required) AND NOT (acting_session = ANY(c."stoppedSessions"))
  RETURNING c."seq", c."prevHash", c."hash" INTO link\x3b
  INSERT INTO "AuditEvent" ("id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets",
    "ip", "userAgent", "contextDigest", "salt", "requestId", "metadata", "prevHash", "hash")
  SELECT event ->> ''event_id'', event ->> ''duckling_id'', link."seq", event ->> ''action'', event ->> ''outcome'',
    (event ->> ''occurred_at'')::timestamptz, event #>> ''{actor,type}'', event #>> ''{actor,id}'', event -> ''targets'',
    ip, user_agent, event #>> ''{context,digest}'', decode(salt, ''hex''), event #>> ''{context,request_id}'', event -> ''metadata'',
    link."prevHash", link."hash"
  WHERE link."seq" IS NOT NULL\x3b
  RETURN require_condition(NOT is_required OR link."seq" IS NOT NULL, ''the audit chain of the caller takes the event'')
    AND link."seq" IS NOT NULL\x3b
END';
