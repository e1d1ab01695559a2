/**
 * What some answers of Beak cost when they are written by hand: the same rows of the same database, the same JSON, headers and log line, on
 * node:http and pg alone. It reads the database of a Beak server, and it knows only the accounts and the rows that the benchmark makes.
 */
import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import pg from 'pg'
import { statements } from './by-hand-statements.mjs'

const { BEAK_ORIGIN, BEAK_VERSION, DATABASE_URL, PORT } = process.env
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  pipeline: true,
  options:
    '-c TimeZone=UTC -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c jit=off',
})
const keys = createRemoteJWKSet(new URL(`${BEAK_ORIGIN}/.well-known/jwks.json`))

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

const read = (name, values) => pool.query({ name, text: statements[name], values })

async function listOf(request, name, present, keyOf) {
  const { rows } = await read(name, await sessionOf(request))
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

const session = (current) => (row) =>
  JSON.stringify({
    session_id: row.id,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    auth_time: row.authTime,
    amr: row.amr,
    ip: row.ip,
    user_agent: row.userAgent,
    name: row.name,
    last_seen_at: row.lastSeenAt,
    current: row.id === current,
  })

function agent(row) {
  return JSON.stringify({
    agent_id: row.id,
    agent_name: row.name,
    agent_type: row.type,
    capabilities: row.capabilities,
    status: row.status,
    allow_query_key: row.allowQueryKey,
    key: {
      key_id: row.keyId,
      start: `beak_${row.keyId.slice(0, 12)}`,
      tier_scope: row.tierScope,
      created_at: row.keyCreatedAt,
      expires_at: row.keyExpiresAt,
      last_used_at: row.lastUsedAt,
      retired_key_uses: row.uses,
    },
    created_at: row.createdAt,
    bonded_at: row.bondedAt,
    last_seen_at: row.lastSeenAt,
  })
}

/** Returns the only row of a statement, which must have one. */
async function one(name, values) {
  const { rows } = await read(name, values)
  if (rows.length !== 1) throw new Error(`${name}: ${rows.length} rows`)
  return rows[0]
}

function person(row) {
  return JSON.stringify({
    duckling_id: row.id,
    display_name: row.displayName,
    full_name: row.fullName,
    handle: row.handle,
    email: row.email,
    email_verified: row.hasEmail,
    phone_verified: row.hasPhone,
    trust_tier: row.trustTier,
    cert_id: row.certId,
    cert_status: row.certStatus ?? 'none',
    egg_count: row.eggCount,
    referral_code: row.referralCode,
    bio: row.bio,
    directory_visible: row.directoryVisible,
    findable_by_email: row.findableByEmail,
    require_passkey_for_pecks: row.requirePasskeyForPecks,
    min_peck_tier: row.minPeckTier,
    created_at: row.createdAt,
    next_name_change_at: null,
    next_handle_change_at: null,
  })
}

async function ownProfile(request) {
  const key = request.headers['x-beak-key']
  if (key === undefined) return person(await one('ofSession', await sessionOf(request)))
  const [, keyId, secret] = /^beak_(KEY-[0-9A-Z]{26})_([0-9A-Z]{52})[0-9A-Z]{7}$/.exec(key)
  return person(await one('ofKey', [keyId, createHash('sha256').update(secret).digest()]))
}

async function checkAgent(id) {
  const row = await one('agentCheck', [id])
  return JSON.stringify({
    agent_id: row.id,
    valid: row.status === 'bonded',
    status: row.status,
    agent_name: row.name,
    agent_type: row.type,
    capabilities: row.capabilities,
    bonded_at: row.bondedAt,
    operator: {
      duckling_id: `DUCK-…${row.ducklingId.slice(-4)}`,
      display_name: row.displayName,
      trust_tier: row.trustTier,
      certified: row.certId !== null,
      cert_id: row.certId,
    },
    checked_at: new Date(),
  })
}

async function checkCertificate(id) {
  const row = await one('certificateCheck', [id])
  const { credentialSubject } = JSON.parse(Buffer.from(row.credential.split('.')[1], 'base64url').toString())
  return JSON.stringify({
    valid: row.status === 'active',
    status: row.status,
    cert_id: row.id,
    tier: row.tier,
    issued_at: row.issuedAt,
    revoked_at: null,
    display_name: row.displayName,
    issued_name: credentialSubject.full_name ?? credentialSubject.display_name,
    current_tier: row.trustTier,
    checked_at: new Date(),
    credential: row.credential,
  })
}

async function checkSsoToken(request) {
  const { token } = JSON.parse(await text(request))
  const [, id, secret] = /^(SSO-[0-9A-Z]{26})([0-9A-Z]{52})$/.exec(token)
  const row = await one('ssoCheck', [id, createHash('sha256').update(secret).digest()])
  return JSON.stringify({
    active: true,
    duckling_id: row.ducklingId,
    display_name: row.displayName,
    trust_tier: row.trustTier,
    target_domain: row.targetDomain,
    scope: row.scope,
    issued_at: row.createdAt,
    expires_at: row.expiresAt,
  })
}

const sealingKey = randomBytes(32)

/** Beak encrypts the cursor of the directory, because it contains a whole id. */
function sealed(key) {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
  const body = Buffer.concat([cipher.update(`k${key}`), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

async function directory() {
  const { rows } = await read('directory', [])
  const shown = rows.slice(0, 20)
  const items = shown.map((row) => ({
    duckling_id: `DUCK-…${row.id.slice(-4)}`,
    display_name: row.displayName,
    trust_tier: row.trustTier,
    certified: row.certified,
    bonded_agents: row.agents,
    joined: row.joined,
  }))
  return JSON.stringify({ items, next_cursor: rows.length > 20 ? sealed(shown[19].id) : null })
}

const byId = ({ id }) => id

const routes = {
  '/beak/': async () => JSON.stringify({ name: 'Beak', version: BEAK_VERSION, timestamp: new Date() }),
  '/beak/profile': ownProfile,
  '/beak/agent/verify': (_, query) => checkAgent(query.get('agent_id')),
  '/beak/cert/verify': (_, query) => checkCertificate(query.get('cert_id')),
  '/beak/sso/verify': checkSsoToken,
  '/beak/spaceducks': directory,
  '/beak/peck/history': (request) => listOf(request, 'history', peck, byId),
  '/beak/audit': (request) => listOf(request, 'audit', event, ({ seq }) => seq),
  '/beak/agent/list': (request) => listOf(request, 'agents', agent, byId),
  '/beak/session/list': async (request) => {
    const [owner, current] = await sessionOf(request)
    const [page, { rows }] = await Promise.all([
      listOf(request, 'sessions', session(current), byId),
      read('devices', [owner]),
    ])
    return `${page.slice(0, -1)},"approved_devices":${JSON.stringify(rows)}}`
  },
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
  const [path, query] = request.url.split('?')
  const body = await routes[path]?.(request, new URLSearchParams(query))
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
