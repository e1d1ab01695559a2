/** The statement and the receipt of a decision, for `by-hand-pecks.mjs`. */
import { createHmac } from 'node:crypto'
import { BEAK_ORIGIN, numericDate, sha256, signToken } from './by-hand-parts.mjs'

export const dayInSeconds = 86_400
export const extent = 'once, within 24 hours of the approval'

/** The public keys, as each receipt has them. */
const { keys } = await (await fetch(`${BEAK_ORIGIN}/.well-known/jwks.json`)).json()

/** Returns 16 bytes that derive from the seed of a peck. */
const derive = (seed, use) =>
  createHmac('sha256', seed).update(`beak/receipt/${use}`).digest().subarray(0, 16).toString('base64url')

/** Returns what the page displays of a peck, as canonical JSON. */
export const displayedText = ({ action }) =>
  `{"message":null,"sentence":"“${action}”, ${extent}","values":[],"version":1}`

/** Returns the statement of a decision, which the receipt has. */
export function statementOf(row, displayed) {
  const hash = sha256(`["${derive(row.receiptSeed, 'display')}",${displayed}]`).toString('base64url')
  return {
    type: 'beak.peck.decision',
    decision: 'approve',
    issuer: BEAK_ORIGIN,
    audience: null,
    nonce: derive(row.receiptSeed, 'nonce'),
    peck_id: row.id,
    action: row.action,
    scope: 'limited',
    params: [],
    requester: { duckling_id: row.requesterId, agent_id: row.askerId },
    target_duckling_id: row.targetId,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    grant_seconds: dayInSeconds,
    display: { version: 1, hash },
    log: null,
    version: 2,
  }
}

/** Returns the canonical JSON of a statement. */
export function statementText({ display, requester, ...s }) {
  return JSON.stringify({
    action: s.action,
    audience: s.audience,
    created_at: s.created_at,
    decision: s.decision,
    display: { hash: display.hash, version: display.version },
    expires_at: s.expires_at,
    grant_seconds: s.grant_seconds,
    issuer: s.issuer,
    log: s.log,
    nonce: s.nonce,
    params: s.params,
    peck_id: s.peck_id,
    requester: { agent_id: requester.agent_id, duckling_id: requester.duckling_id },
    scope: s.scope,
    target_duckling_id: s.target_duckling_id,
    type: s.type,
    version: s.version,
  })
}

/** Returns the receipt of a permission that was used up. */
export function receiptOf(row, now) {
  const statement = statementOf(row, row.displayed)
  const text = statementText(statement)
  const jws = signToken('peck-receipt+jwt', {
    iat: numericDate(now),
    version: 2,
    sub: row.id,
    outcome: 'consumed',
    decided_at: row.decidedAt,
    ended_at: row.lastUsedAt,
    uses: row.uses,
    last_used_at: row.lastUsedAt,
    grant_expires_at: row.grantExpiresAt,
    statement: sha256(text).toString('base64url'),
    passkey: null,
    enrolment: null,
  })
  return {
    version: 2,
    statement,
    passkey: null,
    peck_id: row.id,
    outcome: 'consumed',
    statement_text: text,
    jws,
    enrolment: null,
    values: { params: [] },
    jwks: { keys },
  }
}
