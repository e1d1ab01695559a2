/** Checks tokens that somebody has shown: their signature, their times, and what the service knows about them now. */
import { verifyAgentToken } from '@beak/client/verify/agent-token'
import { inspectGrantToken } from '@beak/client/verify/grant-token'
import { openJws } from '@beak/client/verify/jws'
import { sourceOf } from '@beak/client/verify/keys'
import type { TokenReason } from '@beak/client/verify/token'
import { api } from '@/app/_web/api'
import { wait } from '@/app/_web/form'
import { read } from '@/app/_web/read'
import type { VerdictKind } from '@/components/verdict'
import { readClock, secondsUntil } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { isTestService } from '@/lib/kernel/test-service'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { quotable } from '@/lib/kernel/text/quote'
import { findCertificateId } from './find-number'

/** The result of a check, for the page. */
export interface TokenCheck {
  kind: VerdictKind
  title: string
  text: string
  facts: { name: string; value: string }[]
  link?: { href: string; label: string }
}

/** The certificate that a genuine credential belongs to, or why the credential is not genuine. */
export async function checkCredential(token: string): Promise<{ certId: string } | TokenCheck> {
  const opened = await openJws(token, 'vc+jwt', sourceOf(await read('GET /.well-known/jwks.json')), {
    allowTest: isTestService(),
  })
  if (!opened.ok && opened.fault.kind === 'test') return notGenuine('test_credential')
  if (!opened.ok) return notGenuine(opened.fault.kind === 'key' ? 'unknown_key' : 'wrong_signature')
  const { id, issuer } = opened.claims as { id?: unknown; issuer?: unknown }
  const certId = findCertificateId(String(id))
  return issuer === config().baseUrl && certId !== null ? { certId } : notGenuine('malformed')
}

/** Checks an agent token, and that the agent may still act. */
export async function checkAgentToken(token: string): Promise<TokenCheck> {
  const audience = audienceOf(token)
  const now = readClock()
  const verdict = await verifyAgentToken(token, { ...(await ownIssuer()), audience, now })
  if (!verdict.ok) return notGenuine(verdict.fault.reason)
  const { agentId, trustTier, expiresAt } = verdict.facts
  const found = await api('GET /beak/agent/verify', { query: { agent_id: agentId } })
  const link = { href: `/agents/${agentId}`, label: 'View agent' }
  if (!found.ok) return { ...unchecked, link }
  const { data: agent } = found
  const name = `“${quotable(agent.agent_name)}”`
  const facts = [
    { name: 'Agent', value: `${name}, ${agentId}` },
    { name: 'Acts for', value: `${isolated(personName(agent.operator))}, tier ${trustTier}` },
    { name: 'Made for', value: `“${quotable(audience)}”` },
    { name: 'Expires', value: wait(secondsUntil(expiresAt, now)) },
  ]
  return agent.valid
    ? {
        kind: 'yes',
        title: 'This agent token is genuine.',
        text: `Accept it only if it was made for you. Then the program that showed it acts with the key of ${name}. A token that was made for another service may have been passed on.`,
        facts,
        link,
      }
    : {
        kind: 'no',
        title: 'This agent may not act now.',
        text: `The token is genuine, but ${name} is not active now: it may be suspended or deregistered. Don't rely on it.`,
        facts,
        link,
      }
}

/** Checks the signature of a grant token. Does not use the permission. */
export async function checkGrantToken(token: string): Promise<TokenCheck> {
  const now = readClock()
  const verdict = await inspectGrantToken(token, { ...(await ownIssuer()), now })
  if (!verdict.ok) return notGenuine(verdict.fault.reason)
  const { action, scope, askerId, targetDucklingId, expiresAt } = verdict.facts
  return {
    kind: 'other',
    title: 'This grant token is genuine, but it may be used up.',
    text: 'We signed it. Only the service that uses the permission can find out whether it is still active.',
    facts: [
      { name: 'Allows', value: `“${quotable(action)}”, ${extents[scope]}` },
      { name: 'Asked by', value: askerId },
      { name: 'Approved by', value: targetDucklingId },
      { name: 'Expires', value: wait(secondsUntil(expiresAt, now)) },
    ],
    link: { href: '/docs/api/pecks#post-beak-peck-consume', label: 'See how a service uses it' },
  }
}

const extents = { limited: 'once', timed: 'until it expires', standing: 'until it is revoked' }

/** Checks a sign-on token. Does not spend it. */
export async function checkSsoToken(token: string): Promise<TokenCheck> {
  const result = await api('POST /beak/sso/verify', { body: { token }, token: '' })
  if (!result.ok) return unchecked
  const { data } = result
  if (!data.active)
    return {
      kind: 'no',
      title: 'This sign-on token is not valid.',
      text: 'It is mistyped, expired, used or revoked. Ask for a new one.',
      facts: [],
    }
  return {
    kind: 'yes',
    title: 'This sign-on token is valid.',
    text: `It signs ${isolated(personName(data))} in at ${data.target_domain}. If that is not your site, don't accept it.`,
    facts: [
      { name: 'Duckling', value: `${isolated(personName(data))}, tier ${data.trust_tier}` },
      { name: 'For', value: data.target_domain },
      { name: 'Scope', value: data.scope },
      { name: 'Expires', value: wait(secondsUntil(new Date(data.expires_at), readClock())) },
    ],
  }
}

/** The issuer and the keys of this service, and whether it is a test service. */
async function ownIssuer() {
  const keys = await read('GET /.well-known/jwks.json')
  return { issuer: config().baseUrl, keys, allowTest: isTestService() }
}

/** Returns the audience that a token claims. The signature is verified afterwards. */
function audienceOf(token: string): string {
  try {
    return String(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).aud)
  } catch {
    return ''
  }
}

const unchecked: TokenCheck = {
  kind: 'unsure',
  title: 'We could not check this token.',
  text: "It may be valid or not, so don't rely on it yet. Try again in a moment.",
  facts: [],
}

function notGenuine(reason: TokenReason): TokenCheck {
  const { title, text } = reasons[reason] ?? forged
  return { kind: 'no', title, text, facts: [] }
}

const forged = {
  title: 'This token is not genuine.',
  text: "We didn't sign this token. It was changed, cut off or made up, or another service issued it. Don't rely on it.",
}

const reasons: Partial<Record<TokenReason, { title: string; text: string }>> = {
  expired: { title: 'This token has expired.', text: 'It was genuine. Ask for a new one.' },
  test_credential: {
    title: 'This token is only for tests.',
    text: "This was made by a test service, so it proves nothing. Don't rely on it.",
  },
  not_yet_valid: { title: 'This token is not valid yet.', text: 'Try again later, or ask for another one.' },
  distrusted_key: {
    title: 'This token is not valid.',
    text: "The key that signed it was stolen, so somebody else may have made it. Don't rely on it.",
  },
}
