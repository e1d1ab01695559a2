import { z } from 'zod'
import type { Tier } from '@/lib/kernel/context'
import { instant, tier } from '@/lib/kernel/fields'

/** One to ten words, as in OAuth (RFC 6749, section 3.3), from a narrower alphabet. */
export const ssoScope = z
  .string()
  .regex(
    /^[\w:./*+@~-]{1,64}( [\w:./*+@~-]{1,64}){0,9}$/,
    'must be 1–10 words of letters, digits and : . _ / * + @ ~ -, with single spaces between them',
  )

/**
 * A token's verdict. All that is told of a token that is not good is that.
 * Spec silent: `agent_id`, where an agent issued the token, so that nobody takes it for the person.
 */
export const SsoVerdict = z
  .union([
    z.object({
      active: z.literal(true),
      duckling_id: z.string(),
      display_name: z.string(),
      trust_tier: tier,
      target_domain: z.string(),
      scope: z.string(),
      issued_at: instant,
      expires_at: instant,
      agent_id: z.string().optional(),
    }),
    z.object({ active: z.literal(false) }),
  ])
  .meta({ id: 'SsoVerdict' })

export type SsoVerdictInput = z.input<typeof SsoVerdict>

/** A token that is good, with whom it speaks for. */
export interface LiveToken {
  id: string
  ducklingId: string
  displayName: string
  /** The duckling's now; where an agent issued the token, no more than that agent's key reaches. */
  tier: Tier
  agentId: string | null
  targetDomain: string
  scope: string
  createdAt: Date
  expiresAt: Date
}

/** A good token as its verdict. */
export function presentToken(token: LiveToken): SsoVerdictInput {
  return {
    active: true,
    duckling_id: token.ducklingId,
    display_name: token.displayName,
    trust_tier: token.tier,
    target_domain: token.targetDomain,
    scope: token.scope,
    issued_at: token.createdAt,
    expires_at: token.expiresAt,
    ...(token.agentId === null ? {} : { agent_id: token.agentId }),
  }
}
