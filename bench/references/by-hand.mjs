/**
 * What some answers of Beak cost when they are written by hand: the same rows of the same database, the same JSON, headers and log line, on
 * node:http and pg alone. It reads the database of a Beak server, and it knows only the accounts and the rows that the benchmark makes.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import pg from 'pg'

const { BEAK_ORIGIN, BEAK_VERSION, DATABASE_URL, PORT } = process.env
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  pipeline: true,
  options:
    '-c TimeZone=UTC -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c jit=off',
})
const keys = createRemoteJWKSet(new URL(`${BEAK_ORIGIN}/.well-known/jwks.json`))

const iso = (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Rows of the owner $1 of the session $2 with the digest $3. None when the session is not live. */
const isLive = `EXISTS (
  SELECT 1 FROM "Session" s JOIN "Duckling" d ON d."id" = s."ducklingId"
  WHERE s."id" = $2 AND s."tokenHash" = $3 AND s."revokedAt" IS NULL AND s."expiresAt" > now() AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL)`

const history = `
  SELECT p."id", p."action", p."scope", p."params", p."paramsHash", p."message", p."reason", p."targetDucklingId", p."riskLevel", p."riskReasons",
    p."status", ${iso('p."createdAt"')} AS "createdAt", ${iso('p."expiresAt"')} AS "expiresAt", p."expiresAt" <= now() AS "isOver",
    p."grantSeconds", p."uses", p."maxUses", r."id" AS "askerId", r."displayName" AS "askerName", r."trustTier" AS "askerTier",
    ${iso('r."createdAt"')} AS "askerSince", (SELECT "displayName" FROM "Duckling" WHERE "id" = $1) AS "targetName"
  FROM (SELECT * FROM "Peck" WHERE "id" IN (
      SELECT "id" FROM (
        (SELECT "id" FROM "Peck" WHERE "requesterDucklingId" = $1 ORDER BY "id" DESC LIMIT 21)
        UNION (SELECT "id" FROM "Peck" WHERE "targetDucklingId" = $1 AND NOT "blocked" ORDER BY "id" DESC LIMIT 21)) found
      ORDER BY "id" DESC LIMIT 21)) p
  CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = p."requesterDucklingId" LIMIT 1) r
  WHERE ${isLive}
  ORDER BY p."id" DESC`

const audit = `
  SELECT "id", "ducklingId", "seq", "action", "outcome", ${iso('"occurredAt"')} AS "occurredAt", "actorType", "actorId", "targets", "ip", "userAgent",
    "contextDigest", translate(rtrim(encode("salt", 'base64'), '='), '+/', '-_') AS "salt", "requestId", "metadata", "prevHash", "hash"
  FROM "AuditEvent" WHERE "ducklingId" = $1 AND ${isLive} ORDER BY "seq" DESC LIMIT 21`

const checked = new Map()

/** Returns the owner, the session and the digest of a token. Verifies each token once. */
async function sessionOf(request) {
  const token = (request.headers.authorization ?? '').replace('Bearer ', '')
  const digest = createHash('sha256').update(token).digest()
  const key = digest.toString('base64')
  if (!checked.has(key)) {
    const { payload } = await jwtVerify(token, keys, { issuer: BEAK_ORIGIN, algorithms: ['EdDSA'] })
    checked.set(key, [payload.sub, payload.sid])
  }
  return [...checked.get(key), digest]
}

async function listOf(request, name, text, present, keyOf) {
  const { rows } = await pool.query({ name, text, values: await sessionOf(request) })
  if (rows.length === 0) throw new Error('no session, or no rows')
  const shown = rows.slice(0, 20)
  const cursor = rows.length > 20 ? Buffer.from(`k${keyOf(shown[19])}`).toString('base64url') : null
  return `{"items":[${shown.map(present).join()}],"next_cursor":${JSON.stringify(cursor)}}`
}

function peck(row) {
  const hours = row.grantSeconds / 3600
  const until = `${row.expiresAt.slice(0, 16).replace('T', ' ')} UTC`
  const words = `${row.action.replace(':', ' ')}, once, within ${hours} hours of the approval`
  const reasons = JSON.parse(row.riskReasons)
  return JSON.stringify({
    peck_id: row.id,
    status: row.status === 'pending' && row.isOver ? 'expired' : row.status,
    grant_status: null,
    action: row.action,
    scope: row.scope,
    params: JSON.parse(row.params),
    params_hash: row.paramsHash,
    message: row.message,
    summary: `${row.askerName} (tier ${row.askerTier}) asks ${row.targetName} for permission to ${words}; to be answered by ${until}.`,
    reason: row.reason,
    target_duckling_id: row.targetDucklingId,
    target_display_name: row.targetName,
    requester: {
      type: 'duckling',
      duckling_id: row.askerId,
      display_name: row.askerName,
      member_since: row.askerSince,
      trust_tier: row.askerTier,
    },
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    decided_at: null,
    grant_expires_at: null,
    uses: row.uses,
    max_uses: row.maxUses,
    last_used_at: null,
    risk: {
      level: row.riskLevel,
      reasons: reasons.filter(({ level }) => level !== undefined),
      novelty: reasons.filter(({ level }) => level === undefined),
    },
  })
}

function event(row) {
  const digest = row.contextDigest === null ? {} : { digest: row.contextDigest, salt: row.salt }
  return JSON.stringify({
    event_id: row.id,
    duckling_id: row.ducklingId,
    seq: row.seq,
    action: row.action,
    outcome: row.outcome,
    occurred_at: row.occurredAt,
    actor: { type: row.actorType, id: row.actorId },
    targets: row.targets.map(({ type, id }) => ({ type, id })),
    context: { ip: row.ip, user_agent: row.userAgent, request_id: row.requestId, ...digest },
    metadata: row.metadata,
    prev_hash: row.prevHash,
    hash: row.hash,
  })
}

const routes = {
  '/beak/': async () => JSON.stringify({ name: 'Beak', version: BEAK_VERSION, timestamp: new Date() }),
  '/beak/peck/history?limit=20': (request) => listOf(request, 'history', history, peck, ({ id }) => id),
  '/beak/audit?limit=20': (request) => listOf(request, 'audit', audit, event, ({ seq }) => seq),
}

const headers = [
  ['Cache-Control', 'no-store'],
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Allow, Deprecation, Sunset, Link, Idempotency-Replayed',
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['RateLimit-Policy', '"anonymous";q=100000000;w=60;burst=100000000'],
  ['RateLimit', '"anonymous";r=99999999;t=1'],
  ['Content-Type', 'application/json'],
].flat()

let lines = ''
setInterval(() => {
  process.stdout.write(lines)
  lines = ''
}, 250).unref()

async function answer(request, response) {
  const started = performance.now()
  const requestId = randomUUID()
  const body = await routes[request.url]?.(request)
  response.writeHead(body === undefined ? 404 : 200, [
    'X-Request-Id',
    requestId,
    ...headers,
    'Content-Length',
    String(Buffer.byteLength(body ?? '')),
  ])
  response.end(body)
  lines += `${JSON.stringify({
    level: 'info',
    time: new Date(),
    request_id: requestId,
    method: request.method,
    path: request.url,
    status: 200,
    ms: Math.round((performance.now() - started) * 10) / 10,
    ip: request.socket.remoteAddress,
  })}\n`
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    process.stdout.write(`${error.stack}\n`)
    response.writeHead(500).end()
  })
}).listen(Number(PORT), 'localhost')
