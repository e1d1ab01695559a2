import { updateRule } from '@/lib/domain/pecks/rules/commands'
import { PresentedRule, RuleUpdate } from '@/lib/domain/pecks/rules/schema'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateRule',
  summary: 'Change a rule',
  description: 'Without `passkey`, the rule may only become narrower. What it allowed so far keeps counting.',
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
