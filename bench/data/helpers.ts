/** SQL functions of one session, which the statements that fill a database share. */
import type pg from 'pg'

const functions = `
-- The first ten characters of an id as lib/kernel/ids.ts makes it: the time in base32.
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
