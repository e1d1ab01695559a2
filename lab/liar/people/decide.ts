/** Real requests and decisions: the agent asks over the API, Nadia's passkey signs, and the service makes the receipt. */
import { createHash } from 'node:crypto'
import { shopChallenge } from '@beak/client/trust/shop-challenge'
import { canonicalText } from '@beak/proofs/canonical'
import { decisionDigest } from '@beak/proofs/log/entry'
import type { DecisionStatement3 } from '@beak/proofs/receipts/decision-statement'
import type { DecisionProof3, OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { send } from '@/e2e/server'
import { db } from '@/lib/db/client'
import { assertion, proof3 } from '@/lib/fixtures/receipt-maker'
import { siteOf } from '@/lib/fixtures/signed-parts'
import { enter } from '../host/enter'
import type { Decision, Offer, Site, Terms } from './terms'
import { approverOrigin, type World } from './world'

/** The secret of the shop, in both languages. */
export const shopSecret = 'the secret of the challenges of the shop'

/** Returns terms with a new challenge of the shop. */
export function termsOf({ nadia, agent, operator }: World, changes: Partial<Terms> = {}): Terms {
  return {
    action: 'pay:invoice',
    params: { amount: 5000, currency: 'EUR', to: 'Mallory Ltd' },
    audience: 'shop.example',
    target: nadia.id,
    challenge: shopChallenge(shopSecret),
    scope: 'limited',
    requester: { duckling_id: operator.id, agent_id: agent.id },
    ...changes,
  }
}

/** Calls the API. Throws unless the answer is 200. */
export async function call(
  { host }: World,
  line: string,
  options: Parameters<typeof send>[2] = {},
): Promise<Awaited<ReturnType<typeof send>>['body']> {
  const { status, body } = await send(host.server, line, options)
  if (status !== 200) throw new Error(`${line} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** The agent asks Nadia. Returns the id of the peck. */
export async function ask(
  world: World,
  terms: Terms,
  options: { grantSeconds?: number } = {},
): Promise<string> {
  const { action, params, audience, target, challenge, scope } = terms
  const named = challenge === null ? {} : { challenge }
  const body = { target_duckling_id: target, action, params, audience, scope, require: 'signed', ...named }
  const more = options.grantSeconds === undefined ? {} : { grant_expires_in: options.grantSeconds }
  const { key } = world.agent
  const { peck_id } = await call(world, 'POST /beak/peck/request', { key, body: { ...body, ...more } })
  world.asked.push(peck_id)
  return peck_id
}

/** The operator of the agent withdraws what nobody answered, because only so many requests may wait. */
export async function withdraw({ host, operator, asked }: World): Promise<void> {
  for (const peck_id of asked.splice(0))
    await send(host.server, 'POST /beak/peck/cancel', { token: operator.token, body: { peck_id } })
}

/** Returns the proof of Nadia's passkey for a statement that some page gave her to sign. */
export const signAs = (world: World, site: Site, statement: DecisionStatement3): DecisionProof3 =>
  signText(world, site, canonicalText(statement))

/** Returns the proof of Nadia's passkey for a text that some page gave her to sign. */
export function signText(
  { authenticator, approver, host, passkeys }: World,
  site: Site,
  text: string,
): DecisionProof3 {
  if (site === 'approver') return proof3(assertion(approver, text, siteOf(approverOrigin)))
  const challenge = createHash('sha256').update(text).digest('base64url')
  const { id, response } = authenticator.get({ challenge, rpId: new URL(host.url).hostname } as never)
  const { authenticatorData, clientDataJSON, signature } = response
  const public_key = passkeys.find(({ credential_id }) => credential_id === id)?.public_key ?? ''
  return {
    credential_id: id,
    public_key,
    assertion: { authenticatorData, clientDataJSON, signature },
    endorsements: [],
  }
}

/** Nadia approves or rejects, and downloads the receipt. The rejection says `unclear`, so that the agent may ask again. */
export async function decide(
  world: World,
  site: Site,
  terms: Terms,
  options: { purpose?: 'approve' | 'reject'; grantSeconds?: number } = {},
): Promise<Decision> {
  const { purpose = 'approve' } = options
  const peckId = await ask(world, terms, options)
  const { token } = world.nadia
  const challenge = await call(world, 'POST /beak/passkey/challenge', {
    token,
    body: { purpose, peck_id: peckId },
  })
  const passkey = world.authenticator.get(challenge)
  const unclear = purpose === 'reject' ? { reason: 'Which invoice?', unclear: true } : {}
  await call(world, `POST /beak/peck/${purpose}`, { token, body: { peck_id: peckId, passkey, ...unclear } })
  if (site === 'approver') await moveToApprover(world, peckId, JSON.parse(challenge.statement))
  return { peckId, terms, receipt: await receiptOf(world, peckId) }
}

/** Returns the receipt of a peck as the service makes it. */
export const receiptOf = (world: World, peckId: string): Promise<OutcomeFile> =>
  call(world, `GET /beak/peck/outcome?peck_id=${peckId}`, { token: world.nadia.token })

/**
 * Stores a decision as if Nadia had made it on her approver, which passes the signature on to the service. The receipt is then made by the
 * service itself.
 */
async function moveToApprover(world: World, peckId: string, signed: DecisionStatement3): Promise<void> {
  const statement = { ...signed, approver: approverOrigin }
  const approval = {
    statement: canonicalText(statement),
    passkey_id: '',
    ...signAs(world, 'approver', statement),
  }
  const statementDigest = new Uint8Array(createHash('sha256').update(approval.statement).digest())
  const { decidedAt } = await db().peck.update({ where: { id: peckId }, data: { approval, statementDigest } })
  // Nadia's list keeps the entry of the statement that she did not sign on the approver, because her audit event names that one.
  const named = {
    statement: Buffer.from(statementDigest).toString('base64url'),
    decidedAt: decidedAt?.toISOString() ?? '',
  }
  await enter('decided', { digest: decisionDigest(named), subjectId: peckId })
}

/** The agent reads the permission, and the shop uses it at the real service. Returns what the agent showed and what the service answered. */
export async function use(world: World, { peckId, terms }: Omit<Decision, 'receipt'>): Promise<Offer> {
  const { grant_token: token } = await call(world, `GET /beak/peck/status?peck_id=${peckId}`, {
    key: world.agent.key,
  })
  return { terms, token, answer: await consume(world, token, terms) }
}

/** Uses a permission at the real service. */
export const consume = (world: World, token: string, { params, audience }: Terms): Promise<Offer['answer']> =>
  call(world, 'POST /beak/peck/consume', { body: { grant_token: token, params, audience } })
