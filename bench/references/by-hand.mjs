/**
 * What some answers of Beak cost when they are written by hand: the same rows of the same database, the same JSON, headers and log line, on
 * node:http and pg alone. It uses the database and the secret of a Beak server, and it knows only the accounts and the rows that the benchmark makes.
 * The files `by-hand-*.mjs` are parts of it. Commands leave the rows that Beak leaves. The benchmark checks that at its start.
 */
import { accountRoutes } from './by-hand-accounts.mjs'
import { BEAK_VERSION, bodyOf, keyOf, pool, seal, sessionOf, sha256 } from './by-hand-parts.mjs'
import { peckRoutes } from './by-hand-pecks.mjs'
import { serve } from './by-hand-server.mjs'
import { statements } from './by-hand-statements.mjs'

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
  const hasKey = request.headers['x-beak-key'] !== undefined
  return person(
    hasKey ? await one('ofKey', keyOf(request)) : await one('ofSession', await sessionOf(request)),
  )
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
  const { token } = await bodyOf(request)
  const [, id, secret] = /^(SSO-[0-9A-Z]{26})([0-9A-Z]{52})$/.exec(token)
  const row = await one('ssoCheck', [id, sha256(secret)])
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

/** Beak encrypts the cursor of the directory, because it contains a whole id. */
const sealed = (key) => seal(Buffer.from(`k${key}`), 'cursor').toString('base64url')

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

/** Commands also get what the audit log says about the request. */
const commands = { ...accountRoutes, ...peckRoutes }

serve((request, path, query, about) => {
  const command = commands[path]
  return command ? command(request, about, query) : routes[path]?.(request, new URLSearchParams(query))
})
