/**
 * Fills a database with people by SQL, in the proportions of a service in use. For each 100 people: 60 certificates, 50 agents with
 * keys, 30 sessions, 100 pecks, 300 audit events in valid chains, and 5 webhooks with 4 deliveries each.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { defineHelpers } from './account'

const batchSize = 10_000
/** The people of one load signed up one after the other within two years. */
const spanSeconds = 2 * 365 * 86_400

/** $1: first number, $2: last number, $3: number of all people, $4: a text that makes the load unique. */
const numberedPeople = `
  WITH numbers AS MATERIALIZED (
    SELECT n, date_trunc('milliseconds', now()) - make_interval(secs => ${spanSeconds} * (1 - n::float / $3)) AS at
    FROM generate_series($1::int, $2::int) n
  ), stamped AS MATERIALIZED (SELECT n, at, pg_temp.stamp(at) AS stamp FROM numbers)
  SELECT n, at, pg_temp.id('DUCK', stamp, $4 || n) AS id, 1 + n % 3 AS tier, stamp FROM stamped`

/** The statements of one batch. `run` makes ids and addresses unique. The first person of a batch asks the second. */
const statements = (run: string) => [
  `INSERT INTO "Duckling" ("id", "email", "displayName", "trustTier", "emailVerifiedAt", "referralCode", "listed", "createdAt", "settingsSessionIds")
   SELECT id, 'load' || n || '-' || '${run}' || '@example.test', 'Duck ' || n || ' ' || '${run}', ('T' || CASE WHEN n % 10 = 0 THEN 0 ELSE tier END)::"Tier",
     CASE WHEN n % 10 = 0 THEN NULL ELSE at END, upper(substr(md5('referral' || '${run}' || n), 1, 12)), n % 10 <> 0, at, '{}'
   FROM people`,
  `INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "createdAt", "expiresAt", "ip", "userAgent", "lastSeenAt", "kid", "tokenHash")
   SELECT pg_temp.id('SES', stamp, '${run}' || n), id, '{otp}', now(), now(), now() + interval '1 day', '192.0.2.1', 'Mozilla/5.0', now(),
     'bench', sha256(convert_to('${run}' || n, 'UTF8'))
   FROM people WHERE n % 10 < 3`,
  `INSERT INTO "Certificate" ("id", "ducklingId", "activeFor", "tier", "status", "issuedAt", "credential")
   SELECT pg_temp.id('CERT', stamp, '${run}' || n), id, id, ('T' || tier)::"Tier", 'active', at, repeat(md5('${run}' || n), 28)
   FROM people WHERE n % 10 BETWEEN 1 AND 6`,
  `INSERT INTO "Agent" ("id", "ducklingId", "name", "type", "capabilities", "status", "createdAt", "bondedAt", "lastSeenAt")
   SELECT pg_temp.id('AGT', stamp, '${run}' || n), id, 'Scout', 'assistant', '{request:peck,read:peck}', 'bonded', at, at, at
   FROM people WHERE n % 2 = 1`,
  `INSERT INTO "BeakKey" ("id", "agentId", "activeFor", "secretHash", "tierScope", "createdAt", "expiresAt")
   SELECT pg_temp.id('KEY', stamp, '${run}' || n), pg_temp.id('AGT', stamp, '${run}' || n), pg_temp.id('AGT', stamp, '${run}' || n),
     sha256(convert_to('key' || '${run}' || n, 'UTF8')), ('T' || tier)::"Tier", at, now() + interval '90 days'
   FROM people WHERE n % 2 = 1`,
  // Each person asks the one who signed up before. Of ten pecks, five are approved, two rejected, two expired, one is pending.
  `INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status", "pendingKey",
     "createdAt", "expiresAt", "decidedAt", "grantExpiresAt", "uses", "maxUses")
   SELECT pg_temp.id('PECK', stamp, '${run}' || n), id, id, coalesce(lag(id) OVER (ORDER BY n), lead(id) OVER (ORDER BY n), id), 'send:mail', 'limited', '{}', encode(sha256('{}'), 'hex'),
     (ARRAY['pending','approved','approved','approved','approved','approved','rejected','rejected','expired','expired'])[1 + n % 10]::"PeckStatus",
     CASE WHEN n % 10 = 0 THEN md5('pending' || '${run}' || n) END, at, at + interval '1 day', CASE WHEN n % 10 BETWEEN 1 AND 7 THEN at END,
     CASE WHEN n % 10 BETWEEN 1 AND 5 THEN at + interval '1 day' END, CASE WHEN n % 10 BETWEEN 1 AND 5 THEN 1 ELSE 0 END, 1
   FROM people`,
  `INSERT INTO "WebhookEndpoint" ("id", "ducklingId", "url", "kinds", "secret", "enabled", "createdAt")
   SELECT pg_temp.id('WHK', stamp, '${run}' || n), id, 'https://hooks.example.test/' || n, '{}', '\\x00', false, at FROM people WHERE n % 20 = 1`,
  `INSERT INTO "WebhookMessage" ("id", "ducklingId", "type", "data", "createdAt")
   SELECT pg_temp.id('MSG', stamp, '${run}' || n || '-' || k), id, 'peck.sent', '{}', at FROM people, generate_series(1, 4) k WHERE n % 20 = 1`,
  `INSERT INTO "WebhookDelivery" ("id", "messageId", "endpointId", "status", "createdAt")
   SELECT pg_temp.id('DLV', stamp, '${run}' || n || '-' || k), pg_temp.id('MSG', stamp, '${run}' || n || '-' || k), pg_temp.id('WHK', stamp, '${run}' || n), 'delivered', at
   FROM people, generate_series(1, 4) k WHERE n % 20 = 1`,
  `INSERT INTO "WebhookAttempt" ("deliveryId", "attemptedAt", "statusCode", "latencyMs")
   SELECT pg_temp.id('DLV', stamp, '${run}' || n || '-' || k), at, 200, 20 FROM people, generate_series(1, 4) k WHERE n % 20 = 1`,
  `CREATE TEMPORARY TABLE chains ON COMMIT DROP AS
   WITH first AS (
     SELECT id AS duck, at, pg_temp.id('EVT', stamp, '${run}' || n || '-1') AS id1, pg_temp.id('EVT', stamp, '${run}' || n || '-2') AS id2,
       pg_temp.id('EVT', stamp, '${run}' || n || '-3') AS id3 FROM people
   ), one AS (SELECT *, pg_temp.event_hash(id1, duck, 'duckling.registered', at, 1, repeat('0', 64)) AS hash1 FROM first),
   two AS (SELECT *, pg_temp.event_hash(id2, duck, 'duckling.verified', at, 2, hash1) AS hash2 FROM one)
   SELECT *, pg_temp.event_hash(id3, duck, 'peck.sent', at, 3, hash2) AS hash3 FROM two`,
  `INSERT INTO "AuditEvent" ("id", "ducklingId", "seq", "action", "outcome", "occurredAt", "actorType", "actorId", "targets", "metadata", "prevHash", "hash")
   SELECT event.id, duck, event.seq, event.action, 'success', at, 'duckling', duck, '[]', '{}', event.prev, event.hash
   FROM chains, LATERAL (VALUES (id1, 1, 'duckling.registered', repeat('0', 64), hash1), (id2, 2, 'duckling.verified', hash1, hash2),
     (id3, 3, 'peck.sent', hash2, hash3)) event (id, seq, action, prev, hash)`,
  `INSERT INTO "AuditChain" ("ducklingId", "seq", "hash", "prevHash", "logPending") SELECT duck, 3, hash3, hash2, false FROM chains`,
]

/** The public counts that the loaded rows change. */
const countShares = { registered_ducklings: 1, certified: 0.6, bonded_agents: 0.5, completed_pecks: 0.5 }

async function loadBatch(
  client: pg.Client,
  first: number,
  last: number,
  total: number,
  run: string,
): Promise<void> {
  await client.query('BEGIN')
  await client.query(
    'CREATE TEMPORARY TABLE people (n int, at timestamptz, id text, tier int, stamp text) ON COMMIT DROP',
  )
  await client.query(`INSERT INTO people ${numberedPeople}`, [first, last, total, run])
  for (const statement of statements(run)) await client.query(statement)
  await client.query('COMMIT')
}

/** Adds `count` people. Writes progress to standard error. */
export async function loadPeople(client: pg.Client, count: number): Promise<void> {
  const run = randomBytes(3).toString('hex')
  const started = Date.now()
  await defineHelpers(client)
  // A load that is lost in a crash is repeated, so its commits need not wait for the disk.
  await client.query('SET synchronous_commit = off')
  for (let first = 1; first <= count; first += batchSize) {
    const last = Math.min(count, first + batchSize - 1)
    await loadBatch(client, first, last, count, run)
    const seconds = Math.round((Date.now() - started) / 1000)
    process.stderr.write(
      `\r${last.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} people, ${seconds} s `,
    )
  }
  for (const [name, share] of Object.entries(countShares))
    await client.query('INSERT INTO "MetricDelta" ("name", "delta") VALUES ($1, $2)', [
      name,
      Math.round(count * share),
    ])
  process.stderr.write('analysing … ')
  await client.query('VACUUM (ANALYZE)')
  await client.query('RESET synchronous_commit')
  process.stderr.write('done\n')
}
