import { updateRule } from '@/lib/domain/pecks/rules/commands'
import { PresentedRule, RuleUpdate } from '@/lib/domain/pecks/rules/schema'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateRule',
  summary: 'Change a rule',
  description: 'Without `passkey`, the rule may only become narrower. What it allowed so far keeps counting.',
  remarks: [
    'A rule becomes narrower only while it is `on`; otherwise the answer is 403 (`passkey_assertion_needed`). When the rules together may then allow more, it needs a recent proof. With `passkey`, a rule that rejects or asks can be changed after its time, too. When `per` or the currency changes, unused permissions end with the running period of the new limits.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RuleUpdate,
  response: PresentedRule,
  failures: [
    'agent_not_registered',
    'duckling_not_found',
    'tier_too_low',
    'rule_not_found',
    'rule_ended',
    'rule_changed',
    'passkey_assertion_needed',
    'passkey_assertion_invalid',
    ...proofFailures,
  ],
  attempt: 'rule.updated',
  handle: (context, { body }) => updateRule(context, body),
})
