import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { exampleId, type Kinds, message } from './kind'

/** What webhooks tell about a rule. */
const RuleEventData = z
  .object({
    rule_id: z.string().meta({ description: 'Names the rule in all calls.' }),
    sentence: z.string().meta({ description: 'The rule in words.' }),
    peck_id: z
      .string()
      .nullable()
      .meta({ description: 'The request that the rule answered, or could not answer.' }),
    action: z.string().nullable().meta({ description: 'The action of that request.' }),
    reason: z.string().nullable().meta({ description: 'Why the rule ended.' }),
  })
  .meta({ id: 'RuleEventData' })

export type RuleEventInput = z.input<typeof RuleEventData>

const example = {
  rule_id: exampleId('RULE'),
  sentence: 'Approve without asking me: pay an invoice, for at most €50.00. Until 25 December 2026.',
  peck_id: null,
  action: null,
  reason: null,
}
const exampleUse = { ...example, peck_id: exampleId('PECK'), action: 'pay:invoice' }

export const ruleEvents = {
  'rule.created': {
    label: m.events_rule_created_label,
    did: m.events_rule_created_did,
    tried: m.events_rule_created_tried,
    webhook: message(m.events_rule_created_when, RuleEventData, example),
  },
  'rule.updated': {
    label: m.events_rule_updated_label,
    did: m.events_rule_updated_did,
    tried: m.events_rule_updated_tried,
  },
  'rule.paused': {
    label: m.events_rule_paused_label,
    did: m.events_rule_paused_did,
    tried: m.events_rule_paused_tried,
  },
  'rule.resumed': {
    label: m.events_rule_resumed_label,
    did: m.events_rule_resumed_did,
    tried: m.events_rule_resumed_tried,
  },
  'rule.spent': {
    label: m.events_rule_spent_label,
    whole: m.events_rule_spent_when,
    webhook: message(m.events_rule_spent_when, RuleEventData, exampleUse),
  },
  'rule.exhausted': {
    label: m.events_rule_exhausted_label,
    whole: m.events_rule_exhausted_whole,
    webhook: message(m.events_rule_exhausted_when, RuleEventData, exampleUse),
  },
  'rule.ended': {
    label: m.events_rule_ended_label,
    did: m.events_rule_ended_did,
    tried: m.events_rule_ended_tried,
    webhook: message(m.events_rule_ended_when, RuleEventData, { ...example, reason: 'expired' }),
  },
} satisfies Kinds
