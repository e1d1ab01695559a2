/** Reads grant tokens (`grant_token` of an approved peck) before they are used. */
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

/** What a grant token permits, in the words of the service that signed it. */
export interface GrantFacts {
  peckId: string
  /** The duckling or agent that asked. */
  askerId: string
  /** The duckling that approved. */
  targetDucklingId: string
  /** The permission as verb:object. */
  action: string
  scope: 'limited' | 'timed' | 'standing'
  /** SHA-256 in hex of the canonical JSON (RFC 8785) of the parameters that were approved. */
  paramsHash: string
  issuedAt: Date
  expiresAt: Date
  kid: string
}

const numericDate = z.number().min(0).max(8.64e12)

const Claims = z.looseObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string().regex(/^(DUCK|AGT)-[0-9A-Z]{16,64}$/),
  peck_id: z.string().regex(/^PECK-[0-9A-Z]{16,64}$/),
  target: z.string().regex(/^DUCK-[0-9A-Z]{16,64}$/),
  action: z.string(),
  scope: z.enum(['limited', 'timed', 'standing']),
  params_hash: z.string().regex(/^[0-9a-f]{64}$/),
  iat: numericDate,
  exp: numericDate,
})

/**
 * Verifies the signature and the times of a grant token, and returns what it permits. **This does not show that the permission is active**:
 * it may be used up or revoked, and the service accepts only tokens that it has stored. Before you act, call `POST /beak/peck/consume`.
 * Use this to refuse a token for another action or other parameters without spending it.
 */
export function inspectGrantToken(
  token: string,
  options: VerifyOptions,
): Promise<Verdict<GrantFacts, TokenReason>> {
  return verdictOf(inspect(token, options))
}

async function inspect(token: string, options: VerifyOptions): Promise<GrantFacts> {
  const { claims, kid } = await openToken('grant token', token, 'peck+jwt', Claims, options)
  // The service itself is the audience: it alone decides whether the permission is active.
  if (claims.aud !== options.issuer)
    throw new Refusal('wrong_audience', `The grant token is for ${claims.aud}, not for ${options.issuer}.`)
  const [issuedAt, expiresAt] = [dateOf(claims.iat), dateOf(claims.exp)]
  checkTimes('grant token', options.now ?? new Date(), issuedAt, expiresAt)
  return {
    peckId: claims.peck_id,
    askerId: claims.sub,
    targetDucklingId: claims.target,
    action: claims.action,
    scope: claims.scope,
    paramsHash: claims.params_hash,
    issuedAt,
    expiresAt,
    kid,
  }
}
