/** Shapes of the Peck Protocol on the wire (contract B). */
import { z } from 'zod'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { PeckRequestInput } from '@/lib/domain/pecks/request/new-peck'
import { type Params, params } from '@/lib/domain/pecks/request/params'
import { summarize } from '@/lib/domain/pecks/request/summary'
import type { Tier } from '@/lib/kernel/context'
import { instant, text, tier, verbObject } from '@/lib/kernel/fields'
import { idSchema } from '@/lib/kernel/ids'
import type { PeckRow } from './rows'
import { grantStatuses, grantStatusOf, peckStatuses, statusOf } from './state'

export const peckId = idSchema('peck')
export const peckStatus = z.enum(peckStatuses)
export const grantStatus = z.enum(grantStatuses)
const scope = z.enum(['limited', 'timed', 'standing'])

/** Seconds from one minute to 30 days. */
const lifetime = z
  .int()
  .min(60, 'must be at least 60 seconds')
  .max(2_592_000, 'must be at most 2592000 seconds (30 days)')

export const PeckRequest = z.strictObject({
  target_duckling_id: idSchema('duckling'),
  action: verbObject,
  scope,
  params,
  message: text(0, 280).optional(),
  expires_in: lifetime.default(86_400),
  grant_expires_in: lifetime.optional(),
})

/** Translates the body of a request for permission into the domain's names. */
export function toPeckRequestInput(body: z.output<typeof PeckRequest>): PeckRequestInput {
  return {
    targetDucklingId: body.target_duckling_id,
    action: body.action,
    scope: body.scope,
    params: body.params,
    message: body.message,
    expiresIn: body.expires_in,
    grantExpiresIn: body.grant_expires_in,
  }
}

export const ApprovalRequest = z.strictObject({
  peck_id: peckId,
  grant_expires_in: lifetime.optional(),
  passkey: AssertionCredential.optional(),
})

const Requester = z
  .object({
    type: z.enum(['duckling', 'agent']),
    duckling_id: z.string(),
    display_name: z.string(),
    trust_tier: tier,
    agent_id: z.string().optional(),
    agent_name: z.string().optional(),
  })
  .meta({ id: 'Requester' })

export const Peck = z
  .object({
    peck_id: z.string(),
    status: peckStatus,
    grant_status: grantStatus.nullable(),
    action: z.string(),
    scope,
    params: z.record(z.string(), z.unknown()),
    params_hash: z.string(),
    message: z.string().nullable(),
    summary: z.string(),
    reason: z.string().nullable(),
    target_duckling_id: z.string(),
    target_display_name: z.string(),
    requester: Requester,
    created_at: instant,
    expires_at: instant,
    decided_at: instant.nullable(),
    grant_expires_at: instant.nullable(),
    uses: z.int(),
    max_uses: z.int().nullable(),
    repeated: z.literal(true).optional(),
    grant_token: z.string().optional(),
  })
  .meta({ id: 'Peck' })

export type PeckInput = z.input<typeof Peck>

const idsMax = 100

/** Up to 100 peck ids, separated by commas. */
export const peckIds = z
  .string()
  .max(idsMax * 40)
  .transform((text) => text.split(','))
  .pipe(z.array(peckId).max(idsMax, `must name at most ${idsMax} pecks`))

export const PeckDetails = z
  .object({
    peck_id: z.string(),
    grant_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Lifetime asked for the grant. Null: until it is revoked.' }),
    requester_cert_id: z
      .string()
      .nullable()
      .meta({ description: 'Active certificate of the person behind the request.' }),
    requester_blocked: z.boolean().meta({ description: 'Whether you block that person.' }),
    signed: z.boolean().meta({ description: 'Whether a passkey signed the approval.' }),
    grant_revoked_at: instant.nullable(),
  })
  .meta({ id: 'PeckDetails' })

export type PeckDetailsInput = z.input<typeof PeckDetails>

/** Returns the asker in wire form. Spec silent: for an agent, `trust_tier` is the tier of its operator. */
function presentRequester(peck: PeckRow): z.input<typeof Requester> {
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

export const BlockAnswer = z.object({
  success: z.literal(true),
  duckling_id: z.string(),
  blocked: z.boolean(),
})

export type BlockAnswerInput = z.input<typeof BlockAnswer>

/** Returns the answer to a block or unblock: whether that duckling is blocked now. */
export function presentBlock(ducklingId: string, blocked: boolean): BlockAnswerInput {
  return { success: true, duckling_id: ducklingId, blocked }
}

/** A duckling that the caller has blocked. */
export const Block = z
  .object({
    duckling_id: z.string(),
    display_name: z.string(),
    trust_tier: tier,
    blocked_at: instant,
  })
  .meta({ id: 'PeckBlock' })

export type BlockInput = z.input<typeof Block>

/** A block with the name and the tier of the blocked duckling. */
export interface BlockRow {
  blockedDucklingId: string
  createdAt: Date
  displayName: string
  trustTier: Tier
}

/** Returns a block as an item of the list of blocks. */
export function presentBlockedDuckling(row: BlockRow): BlockInput {
  return {
    duckling_id: row.blockedDucklingId,
    display_name: row.displayName,
    trust_tier: row.trustTier,
    blocked_at: row.createdAt,
  }
}

/** Returns a peck in wire form. `grantToken`: what `grantTokensOf` returned for it. */
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
  }
  if (grantToken !== undefined) presented.grant_token = grantToken
  return presented
}
