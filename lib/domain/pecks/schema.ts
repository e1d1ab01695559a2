/** Shapes of the Peck Protocol on the wire. */

import { summarize, typesOf } from '@beak/decision/display/display'
import type { Params } from '@beak/decision/params'
import { z } from 'zod'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { PeckEndedData, PeckEventData, type Requester } from '@/lib/infrastructure/events/kinds/peck-data'
import { m } from '@/lib/kernel/messages'
import { always, instant, reason } from '@/lib/kernel/request/fields'
import { WouldApprove } from '@/lib/kernel/request/would-approve'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { PeckRisk, shownRisk } from './risk/read'
import { isTarget, type Operator, type PeckRow } from './rows'
import { grantStatusOf, statusOf, withDueRejection } from './state'

export const peckId = idSchema('peck')
/** Who asks: an agent, or a person without one. */
export const askerId = z
  .string()
  .regex(/^(AGT|DUCK)-[0-9A-HJKMNP-TV-Z]{16,64}$/, { error: m.field_must_be_id_agent_or_duckling })
  .meta({ description: 'Id of the agent, or of the person, that asks.' })

/** Seconds from one minute to 30 days. */
export const lifetime = z
  .int()
  .min(60, { error: m.field_must_be_at_least_60_seconds })
  .max(2_592_000, { error: m.field_duration_month_limit })

export const ApprovalRequest = z.strictObject({
  peck_id: peckId,
  grant_expires_in: lifetime.optional(),
  passkey: AssertionCredential.optional(),
})

/** How long a rejection can be undone. */
export const undoSeconds = z
  .int()
  .min(0, { error: m.field_number_not_negative })
  .max(10, { error: m.field_must_be_at_most_10_seconds })
  .default(0)
  .meta({
    description:
      'For so many seconds the peck stays pending for everybody, and `POST /beak/peck/undo` takes the rejection back.',
  })

export const RejectionRequest = z
  .strictObject({
    peck_id: peckId,
    reason,
    passkey: AssertionCredential.optional(),
    undo_seconds: undoSeconds,
    would_approve: WouldApprove.optional(),
    unclear: z.literal(true).optional().meta({ description: 'Something about the request was unclear.' }),
  })
  .refine(({ would_approve, unclear }) => would_approve === undefined || unclear === undefined, {
    path: ['unclear'],
    error: m.field_counter_offer_conflict,
    when: always,
  })

/** What the API answers: what both sides may know, and what only the caller may know. */
export const Peck = PeckEventData.extend({
  risk: PeckRisk.optional().meta({ description: 'For the target only. The rules are at /docs/risk.' }),
  snoozed_until: instant.optional().meta({
    description: 'For the target only, while the peck is snoozed: when it comes back into the inbox.',
  }),
  undo_until: instant.optional().meta({
    description: 'For the target only, while a rejection can be undone: when the rejection takes effect.',
  }),
  notified_at: instant.optional().meta({
    description:
      'When a channel of the target took the announcement. Only after requests of askers that the target knows.',
  }),
  seen_at: instant.optional().meta({
    description: 'When the target first opened the request. Only when the target lets known askers see it.',
  }),
  repeated: z.literal(true).optional(),
  grant_token: z.string().optional(),
}).meta({ id: 'Peck' })

export type PeckInput = z.input<typeof Peck>

/** What the stream tells of a change. Only the change that ends a peck or its permission has a cause. */
export const StreamedPeck = Peck.extend({ cause: PeckEndedData.shape.cause })

const idsMax = 100

/** Up to 100 peck ids, separated by commas. */
export const peckIds = z
  .string()
  .max(idsMax * 40)
  .transform((text) => text.split(','))
  .pipe(z.array(peckId).max(idsMax, { error: () => m.field_must_name_at_most_pecks({ count: idsMax }) }))

/** Returns the asker in wire form. For an agent, `trust_tier` is the tier of its operator. */
function presentRequester(peck: PeckRow): z.input<typeof Requester> {
  const { requesterAgentId, agentName } = peck
  const requester: z.input<typeof Requester> = {
    type: requesterAgentId === null ? 'duckling' : 'agent',
    duckling_id: peck.requesterDucklingId,
    display_name: peck.requesterName,
    trust_tier: peck.requesterTier,
  }
  if (peck.requesterFullName !== null) requester.full_name = peck.requesterFullName
  if (peck.requesterHandle !== null) requester.handle = peck.requesterHandle
  if (requesterAgentId !== null) {
    requester.agent_id = requesterAgentId
    requester.agent_name = agentName ?? ''
  }
  return requester
}

/** Returns a peck in wire form, as both sides may see it. `grantToken`: what `grantTokensOf` returned for it. */
export function presentPeck(row: PeckRow, now: Date, grantToken?: string): PeckInput {
  const peck = withDueRejection(row, now)
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
  if (peck.targetFullName !== null) presented.target_full_name = peck.targetFullName
  const isAnswered = peck.status === 'approved' || peck.status === 'rejected'
  if (peck.targetHandle !== null && isAnswered) presented.target_handle = peck.targetHandle
  if (peck.paramTypes !== null) presented.param_types = typesOf(peck)
  if (peck.wouldApprove !== null) presented.would_approve = peck.wouldApprove
  if (peck.ruleId !== null) presented.decided_by = { type: 'rule', rule_id: peck.ruleId }
  if (peck.unclear) presented.unclear = true
  if (peck.audience !== null) presented.audience = peck.audience
  if (peck.requireSigned) presented.require = 'signed'
  if (peck.challenge !== null) presented.challenge = peck.challenge
  if (peck.codeHash !== null) presented.code_hash = peck.codeHash
  if (peck.notifiedAt !== null) presented.notified_at = peck.notifiedAt
  if (peck.seenAt !== null) presented.seen_at = peck.seenAt
  if (peck.supersededBy !== null) presented.superseded_by = peck.supersededBy
  if (peck.supersedes !== null) presented.supersedes = peck.supersedes
  if (grantToken !== undefined) presented.grant_token = grantToken
  return presented
}

/** Returns the asker for people beside the two sides. Without the handle, which leads to a person whom the directory may not list. */
export function publicRequester(peck: PeckRow): Omit<z.input<typeof Requester>, 'handle'> {
  const { handle: _, ...requester } = presentRequester(peck)
  return requester
}

/** Returns the asker of a peck in wire form, as the target sees it. */
export function presentAskerTo(peck: PeckRow): z.input<typeof Requester> {
  const requester = presentRequester(peck)
  requester.member_since = peck.requesterSince
  return requester
}

/**
 * Returns a peck in wire form for its target, without the risk: also what only the target knows of its own answer. `grantToken`: as for
 * `presentPeck`.
 */
export function presentAnswer(peck: PeckRow, now: Date, grantToken?: string): PeckInput {
  const presented = presentPeck(peck, now, grantToken)
  if (presented.status !== 'pending') return presented
  if (peck.snoozedUntil !== null && peck.snoozedUntil > now) presented.snoozed_until = peck.snoozedUntil
  if (peck.rejectAt !== null) presented.undo_until = peck.rejectAt
  return presented
}

/**
 * Returns a peck in wire form for a caller. Only the target sees the risk, so that no asker can try out the rules, and only the target
 * sees whether the peck is snoozed or a rejection can be undone.
 */
export function presentPeckTo(caller: Operator, peck: PeckRow, now: Date, grantToken?: string): PeckInput {
  if (!isTarget(caller, peck)) return presentPeck(peck, now, grantToken)
  const presented = presentAnswer(peck, now, grantToken)
  presented.requester = presentAskerTo(peck)
  presented.risk = shownRisk(peck)
  return presented
}
