import { createRule } from '@/lib/domain/pecks/rules/commands'
import { PresentedRule, RuleCreation } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'createRule',
  summary: 'Make a rule',
  description:
    'Takes the assertion of a passkey for a challenge from POST /beak/passkey/challenge with purpose `rule` and the same `rule`. From then on the rule answers requests within its budget (/docs/rules). For your own agents from tier T1, for those of others from T2.',
  remarks: [
    'An account has at most 100 rules that have not ended, and 500 in all. A rule that the passkey did not sign is 409 (`rule_changed`).',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RuleCreation,
  response: PresentedRule,
  failures: [
    'agent_not_registered',
    'duckling_not_found',
    'tier_too_low',
    'passkey_assertion_invalid',
    'rule_changed',
    'too_many_rules',
  ],
  attempt: 'rule.created',
  handle: (context, { body }) => createRule(context, body),
})
