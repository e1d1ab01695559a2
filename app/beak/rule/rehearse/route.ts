import { z } from 'zod'
import { Rehearsal, rehearseRule } from '@/lib/domain/pecks/rules/rehearse'
import { ruleId, SentRule } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rehearseRule',
  summary: 'Rehearse a rule',
  description:
    'Says what the rule would have answered in the last 30 days, and the closest requests that it would not have answered. Changes nothing.',
  auth: 'session',
  limit: 'authenticated',
  cost: () => 15,
  body: z.strictObject({
    rule: SentRule,
    rule_id: ruleId.optional().meta({ description: 'The rule that it would replace.' }),
  }),
  response: Rehearsal,
  failures: ['agent_not_registered', 'duckling_not_found', 'tier_too_low', 'rule_not_found'],
  handle: (context, { body }) => rehearseRule(context, body.rule, body.rule_id),
})
