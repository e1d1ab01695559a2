/** SQL functions of one session, which the statements that fill a database share. */

import type pg from 'pg'

const functions = `
-- The first ten characters of an id as lib/kernel/secrets/ids.ts makes it: the time in base32.
CREATE OR REPLACE FUNCTION pg_temp.stamp(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((extract(epoch FROM at) * 1000)::bigint >> (45 - 5 * n) & 31)::int + 1, 1), '' ORDER BY n)
  FROM generate_series(0, 9) n
$$;

-- The last 16 characters depend on the seed.
CREATE OR REPLACE FUNCTION pg_temp.id(prefix text, stamp text, seed text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT prefix || '-' || stamp || upper(substr(md5(prefix || seed), 1, 16))
$$;

-- The hash of an event without context, targets and metadata: the SHA-256 of its canonical JSON (lib/infrastructure/events/record.ts).
CREATE OR REPLACE FUNCTION pg_temp.event_hash(id text, duckling text, action text, at timestamptz, seq int, prev text)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(
    '{"action":"' || action || '","actor":{"id":"' || duckling || '","type":"duckling"},'
    || '"context":{"ip":null,"request_id":null,"user_agent":null},"duckling_id":"' || duckling || '","event_id":"' || id
    || '","metadata":{},"occurred_at":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","outcome":"success","prev_hash":"' || prev || '","seq":' || seq || ',"targets":[]}', 'UTF8')), 'hex')
$$;`

/** Defines the functions for this connection. */
export async function defineHelpers(client: pg.Client): Promise<void> {
  await client.query(functions)
}

/** Gives one account many rows, by SQL: received pecks, audit events in a valid chain, and webhook deliveries. */

export interface AccountSize {
  pecks: number
  events: number
  deliveries: number
}

/** Each asker of $2 sends pecks to the account $1. One in 100 is pending, one in ten an active permission. */
const pecks = `
  INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "riskLevel", "riskReasons", "status", "pendingKey",
    "createdAt", "expiresAt", "decidedAt", "grantExpiresAt", "uses", "maxUses")
  SELECT pg_temp.id('PECK', pg_temp.stamp(at), $1 || n), asker, asker, $1, 'read:mail' || n, 'timed', '{}', encode(sha256('{}'), 'hex'), 'low'::"RiskLevel", '[]',
    (CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 10 < 7 THEN 'approved' WHEN n % 10 = 7 THEN 'rejected' ELSE 'expired' END)::"PeckStatus",
    CASE WHEN n % 100 = 0 THEN md5('pending' || $1 || n) END, at, now() + interval '20 hours', CASE WHEN n % 100 > 0 AND n % 10 < 8 THEN at END,
    CASE WHEN n % 100 > 0 AND n % 10 < 7 THEN CASE WHEN n % 10 = 1 THEN now() + interval '1 day' ELSE at END END, 0, NULL
  FROM (SELECT n, now() - make_interval(secs => $3 - n) AS at, ($2::text[])[1 + n % cardinality($2::text[])] AS asker
    FROM generate_series(1, $3::int) n) numbers`

/** Appends $2 events to the chain of the account $1, each with the hash of the one before. */
const events = `
  WITH RECURSIVE chain AS (
    SELECT c."seq" AS seq, c."prevHash" AS prev, c."hash" AS hash, NULL::text AS id, NULL::timestamptz AS at, 0 AS n
    FROM "AuditChain" c WHERE c."ducklingId" = $1
    UNION ALL
    SELECT seq + 1, hash, pg_temp.event_hash(next.id, $1, 'peck.consumed', next.at, seq + 1, hash), next.id, next.at, n + 1
    FROM chain, LATERAL (SELECT moment AS at, pg_temp.id('EVT', pg_temp.stamp(moment), $1 || (n + 1)) AS id
      FROM (SELECT date_trunc('milliseconds', now() - make_interval(secs => ($2 - n) / 100.0)) AS moment) moments) next
    WHERE n < $2::int
  ), inserted AS (
    INSERT INTO "AuditEvent" ("id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets", "metadata", "prevHash", "hash")
    SELECT id, $1, seq, 'peck.consumed', 'success', at, 'duckling', $1, '[]', '{}', prev, hash FROM chain WHERE n > 0
  )
  UPDATE "AuditChain" SET "seq" = last.seq, "prevHash" = last.prev, "hash" = last.hash
  FROM (SELECT * FROM chain ORDER BY n DESC LIMIT 1) last WHERE "ducklingId" = $1`

const endpoint = `
  INSERT INTO "WebhookEndpoint" ("id", "ducklingId", "url", "kinds", "secret", "enabled", "createdAt")
  VALUES (pg_temp.id('WHK', pg_temp.stamp(now()), $1), $1, 'https://hooks.example.test/', '{}', '\\x00', false, now())`

const messages = `
  INSERT INTO "WebhookMessage" ("id", "ducklingId", "type", "data", "createdAt")
  SELECT pg_temp.id('MSG', pg_temp.stamp(now()), $1 || n), $1, 'peck.consumed', '{}', now() FROM generate_series(1, $2::int) n`

const deliveries = `
  INSERT INTO "WebhookDelivery" ("id", "messageId", "endpointId", "status", "createdAt")
  SELECT pg_temp.id('DLV', pg_temp.stamp(now()), $1 || n), pg_temp.id('MSG', pg_temp.stamp(now()), $1 || n), pg_temp.id('WHK', pg_temp.stamp(now()), $1),
    (CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'delivered' END)::"DeliveryStatus", now()
  FROM generate_series(1, $2::int) n`

const attempts = `
  INSERT INTO "WebhookAttempt" ("deliveryId", "attemptedAt", "statusCode", "latencyMs")
  SELECT pg_temp.id('DLV', pg_temp.stamp(now()), $1 || n), now(), 200, 20 FROM generate_series(1, $2::int) n`

/** Fills the account. `askerIds` are other ducklings, which send it the pecks. */
export async function fillAccount(
  client: pg.Client,
  id: string,
  askerIds: string[],
  size: AccountSize,
): Promise<void> {
  await defineHelpers(client)
  await client.query('BEGIN')
  await client.query(pecks, [id, askerIds, size.pecks])
  await client.query(events, [id, size.events])
  await client.query(endpoint, [id])
  for (const statement of [messages, deliveries, attempts])
    await client.query(statement, [id, size.deliveries])
  await client.query('COMMIT')
}
