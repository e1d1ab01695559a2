/** Checks tokens that somebody has shown: their signature, their times, and what the service knows about them now. */

import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { verifyAgentToken } from '@beak/proofs/agent-token'
import { inspectGrantToken } from '@beak/proofs/grant-token'
import { openJws } from '@beak/proofs/jws'
import { sourceOf } from '@beak/proofs/keys'
import type { TokenReason } from '@beak/proofs/token'
import { api } from '@/app/_web/api'
import { wait } from '@/app/_web/form'
import { read } from '@/app/_web/page-read'
import type { VerdictKind } from '@/components/verdict'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readClock, secondsUntil } from '@/lib/kernel/runtime/clock'
import { isTestService } from '@/lib/kernel/service/test-service'
import { kept, keptText } from '@/lib/kernel/text/kept-values'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { findCertificateId } from './find-number'

/** The result of a check, for the page. Its text and values have marks around what stays. */
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
  const link = { href: `/agents/${agentId}`, label: m.verify_view_agent() }
  if (!found.ok) return { ...unchecked, link }
  const { data: agent } = found
  const name = quotedName(agent.agent_name)
  const facts = [
    { name: m.verify_fact_agent(), value: kept(`${name}, ${agentId}`) },
    {
      name: m.verify_fact_acts_for(),
      value: keptText(m.verify_name_tier, { name: personName(agent.operator), tier: tierWords(trustTier) }),
    },
    { name: m.verify_fact_made_for(), value: kept(quotedName(audience)) },
    { name: m.verify_fact_expires(), value: wait(secondsUntil(expiresAt, now)) },
  ]
  return agent.valid
    ? {
        kind: 'yes',
        title: m.verify_this_agent_token_is_genuine(),
        text: keptText(m.verify_agent_token_valid_body, { name }),
        facts,
        link,
      }
    : {
        kind: 'no',
        title: m.verify_this_agent_may_not_act_now(),
        text: keptText(m.verify_token_is_genuine_but_name_is, { name }),
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
    title: m.verify_grant_token_title(),
    text: m.verify_grant_token_body(),
    facts: [
      { name: m.verify_fact_allows(), value: `${kept(quotedName(action))}, ${extents[scope]()}` },
      { name: m.verify_fact_asked_by(), value: kept(askerId) },
      { name: m.verify_fact_approved_by(), value: kept(targetDucklingId) },
      { name: m.verify_fact_expires(), value: wait(secondsUntil(expiresAt, now)) },
    ],
    link: { href: '/docs/api/pecks#post-beak-peck-consume', label: m.verify_see_how_a_service_uses_it() },
  }
}

const extents = {
  limited: m.verify_once,
  timed: m.verify_until_it_expires,
  standing: m.verify_until_it_is_revoked,
}

/** Checks a sign-on token. Does not spend it. */
export async function checkSsoToken(token: string): Promise<TokenCheck> {
  const result = await api('POST /beak/sso/verify', { body: { token }, token: '' })
  if (!result.ok) return unchecked
  const { data } = result
  if (!data.active)
    return {
      kind: 'no',
      title: m.verify_sso_token_invalid_title(),
      text: m.verify_sso_token_invalid_body(),
      facts: [],
    }
  return {
    kind: 'yes',
    title: m.verify_this_sign_on_token_is_valid(),
    text: keptText(m.verify_it_signs_name_in_at_site, {
      name: personName(data),
      site: data.target_domain,
    }),
    facts: [
      {
        name: m.verify_fact_duckling(),
        value: keptText(m.verify_name_tier, { name: personName(data), tier: tierWords(data.trust_tier) }),
      },
      { name: m.verify_fact_for(), value: kept(data.target_domain) },
      { name: m.verify_fact_scope(), value: kept(data.scope) },
      { name: m.verify_fact_expires(), value: wait(secondsUntil(new Date(data.expires_at), readClock())) },
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
  get title() {
    return m.verify_we_could_not_check_this_token()
  },
  get text() {
    return m.verify_token_unchecked_body()
  },
  facts: [],
}

function notGenuine(reason: TokenReason): TokenCheck {
  const { title, text } = reasons[reason] ?? forged
  return { kind: 'no', title, text, facts: [] }
}

const forged = {
  get title() {
    return m.verify_this_token_is_not_genuine()
  },
  get text() {
    return m.verify_token_forged_body()
  },
}

const reasons: Partial<Record<TokenReason, { title: string; text: string }>> = {
  expired: {
    get title() {
      return m.verify_this_token_has_expired()
    },
    get text() {
      return m.verify_token_expired_body()
    },
  },
  test_credential: {
    get title() {
      return m.verify_this_token_is_only_for_tests()
    },
    get text() {
      return m.verify_token_test_body()
    },
  },
  not_yet_valid: {
    get title() {
      return m.verify_this_token_is_not_valid_yet()
    },
    get text() {
      return m.verify_token_too_early_body()
    },
  },
  distrusted_key: {
    get title() {
      return m.verify_this_token_is_not_valid()
    },
    get text() {
      return m.verify_token_distrusted_key_body()
    },
  },
}
