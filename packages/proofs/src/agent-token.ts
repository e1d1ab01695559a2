/** The offline check of agent tokens (`POST /beak/agent/token`): an agent proves to a third party who it is, without its key. */
import * as z from 'zod'
import {
  checkTimes,
  dateOf,
  openToken,
  Refusal,
  type TokenReason,
  type Verdict,
  type VerifyOptions,
  verdictOf,
} from './token'

/** The content of a valid agent token. */
export interface AgentFacts {
  agentId: string
  /** The duckling that operates the agent. */
  operatorId: string
  /** The tier at which the agent acts. */
  trustTier: 'T0' | 'T1' | 'T2' | 'T3'
  /** What the agent may do at the service, as verb:object. They are no permissions of yours. */
  capabilities: string[]
  issuedAt: Date
  expiresAt: Date
  /** The id of the token. Remember it until the token expires when a token may be used only once. */
  tokenId: string
  kid: string
}

export interface AgentTokenOptions extends VerifyOptions {
  /** Your own name, as the agent gave it in `audience`. A token for somebody else is refused. */
  audience: string
}

const numericDate = z.number().min(0).max(8.64e12)

const Claims = z.looseObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string().regex(/^AGT-[0-9A-Z]{16,64}$/),
  operator: z.string().regex(/^DUCK-[0-9A-Z]{16,64}$/),
  tier: z.enum(['T0', 'T1', 'T2', 'T3']),
  capabilities: z.array(z.string()),
  iat: numericDate,
  nbf: numericDate.optional(),
  exp: numericDate,
  jti: z.string().min(1),
  // A token that is bound to a key proves nothing without that key.
  cnf: z.never().optional(),
})

/**
 * Verifies an agent token: the signature of the issuer, the audience and the times. A token lives five minutes, so an agent that was
 * suspended is accepted at most that long; `GET /beak/agent/verify` tells its present state. Throws only for wrong options, and when Web
 * Crypto lacks Ed25519.
 */
export function verifyAgentToken(
  token: string,
  options: AgentTokenOptions,
): Promise<Verdict<AgentFacts, TokenReason>> {
  return verdictOf(check(token, options))
}

async function check(token: string, options: AgentTokenOptions): Promise<AgentFacts> {
  const { claims, kid } = await openToken('agent token', token, 'agent+jwt', Claims, options)
  if (claims.aud !== options.audience)
    throw new Refusal('wrong_audience', `The agent token is for ${claims.aud}, not for ${options.audience}.`)
  const [issuedAt, expiresAt] = [dateOf(claims.iat), dateOf(claims.exp)]
  const start = dateOf(Math.max(claims.iat, claims.nbf ?? 0))
  checkTimes('agent token', options.now ?? new Date(), start, expiresAt)
  return {
    agentId: claims.sub,
    operatorId: claims.operator,
    trustTier: claims.tier,
    capabilities: claims.capabilities,
    issuedAt,
    expiresAt,
    tokenId: claims.jti,
    kid,
  }
}
