/**
 * What webhooks tell about a peck: what both sides may know. Answers of the API add what only one side may know
 * (`lib/domain/pecks/schema.ts`).
 */
import { z } from 'zod'
import { instant, tier } from '@/lib/kernel/request/fields'
import { paramTypesField } from '@/lib/kernel/request/param-types'
import { WouldApprove } from '@/lib/kernel/request/would-approve'
import { exampleDecision, exampleId, exampleNextDay, exampleOperatorId, exampleTime } from './kind'

export const peckStatus = z.enum(['pending', 'approved', 'rejected', 'expired', 'cancelled'])
export type PeckStatus = z.output<typeof peckStatus>
export const grantStatus = z.enum(['active', 'consumed', 'expired', 'revoked'])
export type GrantStatus = z.output<typeof grantStatus>
export const scope = z.enum(['limited', 'timed', 'standing'])

export const Requester = z
  .object({
    type: z
      .enum(['duckling', 'agent'])
      .meta({ description: 'Whether a person asks, or an agent for a person.' }),
    duckling_id: z.string().meta({ description: 'The person who asks, or for whom the agent asks.' }),
    display_name: z.string().meta({ description: 'The display name of that person.' }),
    full_name: z.string().optional().meta({ description: 'The name in any script, if the person has one.' }),
    handle: z.string().optional().meta({ description: 'Without `@`, if the person has one.' }),
    member_since: instant.optional().meta({ description: 'For the target only: when the person signed up.' }),
    trust_tier: tier.meta({ description: 'The trust tier of that person.' }),
    agent_id: z.string().optional().meta({ description: 'The agent, if an agent asks.' }),
    agent_name: z.string().optional().meta({ description: 'The name of the agent, if an agent asks.' }),
  })
  .meta({ id: 'Requester' })

export const PeckEventData = z
  .object({
    peck_id: z.string().meta({ description: 'Names the peck in all calls.' }),
    status: peckStatus.meta({ description: 'What was decided. `pending` until then.' }),
    grant_status: grantStatus
      .nullable()
      .meta({ description: 'What became of the permission. Null without an approval.' }),
    action: z.string().meta({ description: 'What the asker wants to do, as verb:object.' }),
    scope: scope.meta({
      description: 'How long the permission is valid: for one use, for a time, or until it is revoked.',
    }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The details that are approved, by name.' }),
    params_hash: z
      .string()
      .meta({ description: 'SHA-256 of `params` as canonical JSON (RFC 8785), in hex.' }),
    message: z.string().nullable().meta({ description: 'The words of the asker to the target.' }),
    summary: z.string().meta({ description: 'What is asked, as one sentence of the service.' }),
    reason: z.string().nullable().meta({ description: 'The words of the target about a rejection.' }),
    target_duckling_id: z.string().meta({ description: 'The person who is asked.' }),
    target_display_name: z.string().meta({ description: 'The display name of that person.' }),
    target_full_name: z
      .string()
      .optional()
      .meta({ description: 'The name of the target in any script, if the target has one.' }),
    target_handle: z.string().optional().meta({
      description: 'Without `@`, if the target has one and has answered. Nobody learns a handle by asking.',
    }),
    requester: Requester.meta({ description: 'Who asks.' }),
    created_at: instant.meta({ description: 'When the peck was sent.' }),
    expires_at: instant.meta({ description: 'When the peck expires without an answer.' }),
    decided_at: instant.nullable().meta({ description: 'When it was decided, or expired.' }),
    grant_expires_at: instant.nullable().meta({
      description: 'When the permission expires. Null before the approval and for a standing permission.',
    }),
    uses: z.int().meta({ description: 'How often the permission was used.' }),
    max_uses: z
      .int()
      .nullable()
      .meta({ description: 'How often it can be used. Null before the approval and without a limit.' }),
    last_used_at: instant
      .nullable()
      .meta({ description: 'When it was used last. Null before the first use.' }),
    decided_by: z
      .object({ type: z.literal('rule'), rule_id: z.string() })
      .optional()
      .meta({ description: 'The rule of the target that answered. Missing when a person decided.' }),
    would_approve: WouldApprove.optional().meta({
      description: 'After a rejection: what the target would approve. Asking for it again is not paused.',
    }),
    unclear: z.literal(true).optional().meta({
      description: 'After a rejection: something was unclear to the target. Asking again is not paused.',
    }),
    superseded_by: z.string().optional().meta({
      description:
        'After an approval that the target undid: the request with the same content that waits in its place. Wait for that one.',
    }),
    supersedes: z.string().optional().meta({
      description: 'The request whose approval was undone, and whose place this request took.',
    }),
    param_types: paramTypesField.optional(),
    audience: z.string().optional().meta({
      description: 'Host name of the service that the permission is meant for, if the asker named one.',
    }),
    require: z.literal('signed').optional().meta({
      description: 'The asker accepts only an approval that a passkey signed.',
    }),
    challenge: z.string().optional().meta({
      description: 'Challenge of the service that will act, if the asker sent one. The passkey signs it.',
    }),
    code_hash: z.string().optional().meta({
      description: 'Salted hash of a code that this service shows to the person, if the asker sent one.',
    }),
  })
  .meta({
    id: 'PeckEventData',
    description:
      'The peck as it was at that time. It never has a grant token: the asker reads the token with `getPeck`.',
  })

/** What ended a request or a permission, when the asker did not withdraw the request and the target did not just revoke the permission. */
const endCause = z.enum([
  'account_closed',
  'account_reclaimed',
  'email_restored',
  'agent_deregistered',
  'rule_ended',
  'passkey_removed',
  'restored',
  'undone',
])
export type EndCause = z.output<typeof endCause>

export const PeckEndedData = PeckEventData.extend({
  cause: endCause.optional().meta({
    description:
      'What ended the request or the permission, when it was not withdrawn or revoked: the end of an account, of the agent or of the rule that approved, the removal of its passkey, the owner who took back what a thief did, a backup that was restored, or the target who took back an approval of the last seconds (`undone`).',
  }),
}).meta({ id: 'PeckEndedData', description: 'The peck that ended, as it was at that time.' })

export const examplePeck = {
  peck_id: exampleId('PECK'),
  status: 'pending',
  grant_status: null,
  action: 'send:mail',
  scope: 'limited',
  params: { to: 'pond@example.com' },
  params_hash: '606b3a36c32ceba3a65b86b76b1791998dabc2537414428d6af262ebeb5658f9',
  message: 'The draft you asked for is ready.',
  summary:
    'Agent "Scout" of Teal (tier T2) asks Mallard for permission to send mail with the parameters shown, once, within 24 hours of the approval; to be answered by 2026-11-22 10:00 UTC.',
  reason: null,
  target_duckling_id: exampleId('DUCK'),
  target_display_name: 'Mallard',
  requester: {
    type: 'agent',
    duckling_id: exampleOperatorId,
    display_name: 'Teal',
    trust_tier: 'T2',
    agent_id: exampleId('AGT'),
    agent_name: 'Scout',
  },
  created_at: exampleTime,
  expires_at: exampleNextDay,
  decided_at: null,
  grant_expires_at: null,
  uses: 0,
  max_uses: null,
  last_used_at: null,
} satisfies z.input<typeof PeckEventData>

export const exampleApproval = {
  ...examplePeck,
  status: 'approved',
  grant_status: 'active',
  decided_at: exampleDecision,
  grant_expires_at: new Date('2026-11-22T10:05:00.000Z'),
  max_uses: 1,
} satisfies z.input<typeof PeckEventData>
