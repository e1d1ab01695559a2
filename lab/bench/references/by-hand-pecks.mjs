/** Permissions written by hand: a request of an agent, the approval, the status, and the use. They leave the rows that Beak leaves. */
import { randomBytes } from 'node:crypto'
import { actorOf, anonymous, event, inOrder } from './by-hand-events.mjs'
import {
  bodyOf,
  commitTwice,
  keyOf,
  kid,
  newId,
  numericDate,
  pool,
  preparedIn,
  randomSecret,
  recordSeen,
  seal,
  secondsAfter,
  sessionOf,
  sha256,
  signToken,
  unseal,
} from './by-hand-parts.mjs'
import { peckStatements as statements } from './by-hand-peck-statements.mjs'
import {
  dayInSeconds,
  displayedText,
  extent,
  receiptOf,
  statementOf,
  statementText,
} from './by-hand-receipts.mjs'

const run = preparedIn(statements)
const noParams = sha256('{}').toString('hex')

const owners = new Map()

/** Returns the agent of a key and its operator, which never change. Each statement checks the key again. */
async function agentOf(keyId, secretHash) {
  if (!owners.has(keyId)) {
    const { rows } = await pool.query(run('agentOfKey', [keyId, secretHash]))
    if (rows.length === 0) throw new Error('the key is not valid')
    owners.set(keyId, rows[0])
  }
  return owners.get(keyId)
}

const requesterOf = (row) => ({
  type: 'agent',
  duckling_id: row.requesterId,
  display_name: row.askerName,
  trust_tier: row.askerTier,
  agent_id: row.askerId,
  agent_name: row.agentName,
})

/** Returns a peck as asker and target see it. */
function present(row, isApproved) {
  const asker = `Agent "${row.agentName}" of ${row.askerName} (tier ${row.askerTier})`
  const until = `${row.expiresAt.slice(0, 16).replace('T', ' ')} UTC`
  return {
    peck_id: row.id,
    status: isApproved ? 'approved' : 'pending',
    grant_status: isApproved ? 'active' : null,
    action: row.action,
    scope: 'limited',
    params: {},
    params_hash: row.paramsHash,
    message: null,
    summary: `${asker} asks ${row.targetName} for permission to ${row.action.replace(':', ' ')}, ${extent}; to be answered by ${until}.`,
    reason: null,
    target_duckling_id: row.targetId,
    target_display_name: row.targetName,
    requester: requesterOf(row),
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    decided_at: row.decidedAt,
    grant_expires_at: row.grantExpiresAt,
    uses: row.uses,
    max_uses: row.maxUses,
    last_used_at: row.lastUsedAt,
  }
}

/** Returns what the audit events of a peck have in common. `more`: further metadata, in canonical order. */
const ofPeck = (row, actor, more = '') => ({
  actor,
  metadata: `{"action":"${row.action}","asker":"${row.askerId}",${more}"scope":"limited"}`,
  targets: [
    ['peck', row.id],
    ['duckling', row.targetId],
    ['agent', row.askerId],
  ],
})

/** Returns what is new about a request: an action that the target has not approved, and an agent of less than a day. */
function noveltyOf({ isApproved, agentCreatedAt }, now) {
  const age = Math.floor((now - agentCreatedAt) / 1000)
  const [unit, name] = age < 60 ? [1, 'second'] : age < 3600 ? [60, 'minute'] : [3600, 'hour']
  const amount = Math.max(1, Math.floor(age / unit))
  const facts = []
  if (!isApproved)
    facts.push(['first_time_action', 'You approved other requests of this asker, and never this action.'])
  if (age < dayInSeconds)
    facts.push([
      'new_agent',
      `The agent was registered ${amount} ${name}${amount === 1 ? '' : 's'} before it asked.`,
    ])
  return JSON.stringify(facts.map(([rule, words]) => ({ rule, text: words })))
}

async function requestPeck(request, about) {
  const { target_duckling_id: targetId, action, scope, ...others } = await bodyOf(request)
  // The risk of other requests needs more rules.
  if (!/^read:f\d+x\w+$/.test(action) || scope !== 'limited' || Object.keys(others).length > 0)
    throw new Error('not a request of the benchmark')
  const [keyId, secretHash] = keyOf(request)
  const { id: askerId, ducklingId: requesterId } = await agentOf(keyId, secretHash)
  const now = new Date()
  const [id, at, expiresAt] = [
    newId('PECK', now),
    now.toISOString(),
    secondsAfter(now, dayInSeconds).toISOString(),
  ]
  const pendingKey = sha256(JSON.stringify([askerId, targetId, action, scope, noParams])).toString('hex')
  const row = { id, askerId, requesterId, targetId, action, paramsHash: noParams, createdAt: at, expiresAt }
  const empty = { decidedAt: null, grantExpiresAt: null, uses: 0, maxUses: null, lastUsedAt: null }
  let facts
  const first = [
    run('lockAsker', [keyId, secretHash, targetId]),
    run('requestFacts', [requesterId, askerId, targetId, action, at, pendingKey]),
  ]
  await commitTwice(first, (agents, [found]) => {
    if (agents.length === 0 || found === undefined)
      throw new Error('the request is not one of the benchmark, or the key is not valid')
    facts = found
    const details = ofPeck(row, actorOf('agent', askerId))
    const events = inOrder([
      event('peck.sent', requesterId, now, { ...details, about, isRequired: true }),
      event('peck.sent', targetId, now, { ...details, about: null }),
    ])
    const peck = [id, requesterId, askerId, targetId, action, noParams, randomBytes(32)]
    return [run('insertPeck', [...peck, at, expiresAt, pendingKey, noveltyOf(facts, now), events])]
  })
  recordSeen('agent', askerId, now)
  recordSeen('key', keyId, now)
  return JSON.stringify(present({ ...row, ...empty, ...facts }, false))
}

/** Returns the grant token of an approved peck. */
function grantTokenOf(row, now, exp) {
  return signToken('peck+jwt', {
    sub: row.askerId,
    jti: randomSecret(20),
    iat: numericDate(now),
    exp,
    peck_id: row.id,
    target: row.targetId,
    action: row.action,
    scope: 'limited',
    params_hash: row.paramsHash,
  })
}

async function approvePeck(request, about) {
  const { peck_id: id } = await bodyOf(request)
  const [owner, session, digest] = await sessionOf(request)
  const now = new Date()
  const [at, until] = [now.toISOString(), secondsAfter(now, dayInSeconds)]
  const exp = Math.ceil(until / 1000)
  let approved
  await commitTwice([run('lockPending', [owner, session, digest, id])], ([row]) => {
    if (row === undefined) throw new Error('the peck is not pending, or the session is not live')
    approved = { ...row, decidedAt: at, grantExpiresAt: until.toISOString(), maxUses: 1 }
    const displayed = displayedText(row)
    const statement = sha256(statementText(statementOf(row, displayed)))
    const logged = sha256(`{"decided_at":"${at}","statement":"${statement.toString('base64url')}"}`)
    const token = grantTokenOf(row, now, exp)
    const details = ofPeck(row, actorOf('duckling', owner), `"log_digest":"${logged.toString('hex')}",`)
    const events = inOrder([
      event('peck.approved', row.requesterId, now, { ...details, about: null }),
      event('peck.approved', owner, now, { ...details, about, isRequired: true, session }),
    ])
    const decision = [id, at, statement, approved.grantExpiresAt, displayed, session]
    const sealed = seal(Buffer.from(token), `grant:${id}`)
    const grant = [sha256(token), kid, sealed, new Date(exp * 1000).toISOString(), logged]
    return [
      run('approvePeck', [...decision, ...grant, owner, row.requesterId, row.askerId, row.action, events]),
    ]
  })
  recordSeen('session', session, now)
  return JSON.stringify(present(approved, true))
}

async function peckStatus(request, _, query) {
  const [keyId, secretHash] = keyOf(request)
  const id = new URLSearchParams(query).get('peck_id')
  const { rows } = await pool.query(run('status', [keyId, secretHash, id]))
  if (rows.length === 0) throw new Error('the key has no such permission')
  const now = new Date()
  recordSeen('agent', rows[0].askerId, now)
  recordSeen('key', keyId, now)
  return JSON.stringify({
    ...present(rows[0], true),
    grant_token: unseal(rows[0].sealed, `grant:${id}`).toString(),
  })
}

async function consumeGrant(request, about) {
  const { grant_token: token } = await bodyOf(request)
  const now = new Date()
  const at = now.toISOString()
  let used
  await commitTwice([run('lockGranted', [sha256(token), noParams])], ([row]) => {
    if (row === undefined) throw new Error('the permission is not active')
    used = { ...row, uses: row.uses + 1, lastUsedAt: at }
    const statement = row.statementDigest.toString('base64url')
    const logged = sha256(`{"statement":"${statement}","used_at":"${at}","uses":${used.uses}}`)
    const details = ofPeck(row, anonymous, `"log_digest":"${logged.toString('hex')}",`)
    const metadata = details.metadata.replace(/\}$/, `,"uses":${used.uses}}`)
    const events = inOrder([
      event('peck.consumed', row.requesterId, now, { ...details, metadata, about }),
      event('peck.consumed', row.targetId, now, { ...details, metadata, about }),
    ])
    return [run('spendGrant', [row.id, at, logged, row.targetId, row.requesterId, events])]
  })
  return JSON.stringify({
    active: true,
    peck_id: used.id,
    action: used.action,
    target_duckling_id: used.targetId,
    requester: requesterOf(used),
    uses_left: used.maxUses - used.uses,
    receipt: receiptOf(used, now),
  })
}

export const peckRoutes = {
  '/beak/peck/request': requestPeck,
  '/beak/peck/approve': approvePeck,
  '/beak/peck/status': peckStatus,
  '/beak/peck/consume': consumeGrant,
}
