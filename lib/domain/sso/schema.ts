import { z } from 'zod'
import { instant, tier } from '@/lib/kernel/request/fields'
import type { Tier } from '@/lib/kernel/request/tier'

/** One to ten words, as in OAuth (RFC 6749, section 3.3), with fewer characters allowed. */
export const ssoScope = z
  .string()
  .regex(
    /^[\w:./*+@~-]{1,64}( [\w:./*+@~-]{1,64}){0,9}$/,
    'must be 1–10 words of letters, digits and : . _ / * + @ ~ -, with single spaces between them',
  )

/** A token, and the domain that it must be for. */
export const SsoQuestion = z.strictObject({ token: z.string(), domain: z.string().optional() })

/**
 * The result of verifying an SSO token. For an invalid token it contains only `active: false`.
 * `agent_id` names the agent that issued the token, so that a domain can tell the agent from the person.
 */
export const SsoVerdict = z
  .union([
    z.object({
      active: z.literal(true),
      duckling_id: z.string(),
      display_name: z.string(),
      full_name: z
        .string()
        .optional()
        .meta({ description: 'The name in any script, if the person has one.' }),
      trust_tier: tier,
      target_domain: z.string(),
      scope: z.string(),
      issued_at: instant,
      expires_at: instant,
      amr: z.array(z.string()).meta({
        description:
          'How the person proved who she is, in words of RFC 8176: `pop` and `user` are a passkey, `otp` a mailed code, `pwd` a password. `device` is an approval on another device, and `link` a link of the host. Empty after a sign-up, which proves nothing yet, and when an agent issued the token: then no person was there.',
      }),
      auth_time: instant.nullable().meta({
        description:
          'When she did: with `pop`, when a passkey last confirmed her session. Null when an agent issued the token.',
      }),
      agent_id: z
        .string()
        .optional()
        .meta({ description: 'The agent that issued the token. No person was there.' }),
    }),
    z.object({ active: z.literal(false) }),
  ])
  .meta({ id: 'SsoVerdict' })

export type SsoVerdictInput = z.input<typeof SsoVerdict>

/** A valid token with its owner. */
export interface ValidToken {
  id: string
  ducklingId: string
  displayName: string
  fullName: string | null
  /** The current tier of the duckling. For a token of an agent at most the tier of the agent's key. */
  tier: Tier
  agentId: string | null
  targetDomain: string
  scope: string
  createdAt: Date
  expiresAt: Date
  proof: PersonProof
}

/** How and when a person proved who she is. For a token of an agent: in no way, and never. */
export interface PersonProof {
  amr: string[]
  authTime: Date | null
}

/** How the session of a person was authenticated. */
interface AuthenticatedSession {
  amr: string[]
  authTime: Date
  passkeyAt: Date | null
}

/** Returns the proof of a session, or of none. A passkey that confirmed the session counts more than the sign-in before it. */
export function proofOfSession(session: AuthenticatedSession | null): PersonProof {
  if (session === null) return { amr: [], authTime: null }
  const { amr, authTime, passkeyAt } = session
  return passkeyAt === null
    ? { amr, authTime }
    : { amr: [...new Set([...amr, 'pop', 'user'])], authTime: passkeyAt }
}

/** Returns the wire form of a valid token. */
export function presentToken(token: ValidToken): SsoVerdictInput {
  return {
    active: true,
    duckling_id: token.ducklingId,
    display_name: token.displayName,
    ...(token.fullName === null ? {} : { full_name: token.fullName }),
    trust_tier: token.tier,
    target_domain: token.targetDomain,
    scope: token.scope,
    issued_at: token.createdAt,
    expires_at: token.expiresAt,
    amr: token.proof.amr,
    auth_time: token.proof.authTime,
    ...(token.agentId === null ? {} : { agent_id: token.agentId }),
  }
}
