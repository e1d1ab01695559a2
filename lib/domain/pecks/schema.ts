/** Shapes of the Peck Protocol on the wire (contract B). */
import { z } from 'zod'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { PeckEventData, Requester } from '@/lib/infrastructure/events/kinds/peck-data'
import { reason } from '@/lib/kernel/fields'
import { idSchema } from '@/lib/kernel/ids'
import { typesOf } from './display/display'
import { summarize } from './display/summary'
import type { Params } from './params'
import { PeckRisk, storedRisk } from './risk/read'
import { isTarget, type Operator, type PeckRow } from './rows'
import { grantStatusOf, statusOf } from './state'

export const peckId = idSchema('peck')
/** Who asks: an agent, or a person without one. */
export const askerId = z
  .string()
  .regex(/^(AGT|DUCK)-[0-9A-HJKMNP-TV-Z]{16,64}$/, 'must be the id of an agent or of a duckling')
  .meta({ description: 'Id of the agent, or of the person, that asks.' })

/** Seconds from one minute to 30 days. */
export const lifetime = z
  .int()
  .min(60, 'must be at least 60 seconds')
  .max(2_592_000, 'must be at most 2592000 seconds (30 days)')

export const ApprovalRequest = z.strictObject({
  peck_id: peckId,
  grant_expires_in: lifetime.optional(),
  passkey: AssertionCredential.optional(),
})

export const RejectionRequest = z.strictObject({
  peck_id: peckId,
  reason,
  passkey: AssertionCredential.optional(),
})

/** What the API answers: what both sides may know, and what only the caller may know. */
export const Peck = PeckEventData.extend({
  risk: PeckRisk.optional().meta({ description: 'For the target only. See docs/risk.md for the rules.' }),
  repeated: z.literal(true).optional(),
  grant_token: z.string().optional(),
}).meta({ id: 'Peck' })

export type PeckInput = z.input<typeof Peck>

const idsMax = 100

/** Up to 100 peck ids, separated by commas. */
export const peckIds = z
  .string()
  .max(idsMax * 40)
  .transform((text) => text.split(','))
  .pipe(z.array(peckId).max(idsMax, `must name at most ${idsMax} pecks`))

/** Returns the asker in wire form. For an agent, `trust_tier` is the tier of its operator (contract G). */
export function presentRequester(peck: PeckRow): z.input<typeof Requester> {
  const { requesterAgentId, agentName } = peck
  const person = {
    duckling_id: peck.requesterDucklingId,
    display_name: peck.requesterName,
    trust_tier: peck.requesterTier,
  }
  return requesterAgentId === null
    ? { type: 'duckling', ...person }
    : { type: 'agent', ...person, agent_id: requesterAgentId, agent_name: agentName ?? '' }
}

/** The answer to the service that checks the permission. */
export const Consumed = z
  .object({
    active: z.literal(true),
    peck_id: z.string(),
    action: z.string(),
    target_duckling_id: z.string(),
    requester: Requester,
    uses_left: z.int().nullable().meta({ description: 'null when the number of uses is not limited' }),
  })
  .meta({ id: 'ConsumedGrant' })

export type ConsumedInput = z.input<typeof Consumed>

/** Returns the answer for a peck whose grant has just been used once. */
export function presentConsumed(peck: PeckRow): ConsumedInput {
  return {
    active: true,
    peck_id: peck.id,
    action: peck.action,
    target_duckling_id: peck.targetDucklingId,
    requester: presentRequester(peck),
    uses_left: peck.maxUses === null ? null : peck.maxUses - peck.uses,
  }
}

/** Returns a peck in wire form, as both sides may see it. `grantToken`: what `grantTokensOf` returned for it. */
export function presentPeck(peck: PeckRow, now: Date, grantToken?: string): PeckInput {
  const presented: PeckInput = {
    peck_id: peck.id,
    status: statusOf(peck, now),
    grant_status: grantStatusOf(peck, now),
    action: peck.action,
    scope: peck.scope,
    params: JSON.parse(peck.params) as Params,
    params_hash: peck.paramsHash,
    message: peck.message,
    summary: summarize(peck),
    reason: peck.reason,
    target_duckling_id: peck.targetDucklingId,
    target_display_name: peck.targetName,
    requester: presentRequester(peck),
    created_at: peck.createdAt,
    expires_at: peck.expiresAt,
    decided_at: peck.decidedAt,
    grant_expires_at: peck.grantExpiresAt,
    uses: peck.uses,
    max_uses: peck.maxUses,
    last_used_at: peck.lastUsedAt,
  }
  if (peck.paramTypes !== null) presented.param_types = typesOf(peck)
  if (peck.audience !== null) presented.audience = peck.audience
  if (grantToken !== undefined) presented.grant_token = grantToken
  return presented
}

/** Returns a peck in wire form for a caller. Only the target sees the risk, so that no asker can try out the rules. */
export function presentPeckTo(caller: Operator, peck: PeckRow, now: Date, grantToken?: string): PeckInput {
  const presented = presentPeck(peck, now, grantToken)
  return isTarget(caller, peck) ? { ...presented, risk: storedRisk(peck) } : presented
}
