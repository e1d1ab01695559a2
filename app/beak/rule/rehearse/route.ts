import { z } from 'zod'
import { Rehearsal, rehearseRule } from '@/lib/domain/pecks/rules/rehearse'
import { ruleId, SentRule } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rehearseRule',
  summary: 'Rehearse a rule',
  description:
    'Says what the rule would have answered in the last 30 days, and the closest requests that it would not have answered. Changes nothing.',
  remarks: [
    'Judges the newest 1,000 requests by the code that judges new ones, with the budget as it would have counted. `needs_passkey` is false only for a change that needs neither a signature nor a proof.',
    '`why` is a name of the list of what no rule answers (/docs/rules), or `asker`, `action`, `unnamed`, `missing`, `value` or `money` for what the rule does not allow, `close` for another spelling of what a rule that rejects or asks names, `risk` for a reason that it does not name, and `budget`.',
  ],
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
