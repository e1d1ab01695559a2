import { z } from 'zod'
import { resumeAllRules, resumeRule } from '@/lib/domain/pecks/rules/commands'
import { AllRules, PresentedRule, RuleResumption } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'resumeRule',
  summary: 'Resume a rule, or everything',
  description:
    'One rule needs the assertion of a passkey for a challenge from POST /beak/passkey/challenge with purpose `rule` and its `rule_id`. `all` needs a passkey that confirmed the session just before, and leaves rules paused that are paused on their own.',
  remarks: ['A rule that is resumed ends when it would have ended.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RuleResumption,
  response: z.union([PresentedRule, AllRules]),
  failures: [
    'rule_not_found',
    'rule_ended',
    'rule_changed',
    'passkey_assertion_invalid',
    'fresh_passkey_needed',
  ],
  attempt: 'rule.resumed',
  handle: (context, { body }) =>
    'all' in body
      ? resumeAllRules(context)
      : resumeRule(context, { id: body.rule_id, passkey: body.passkey }),
})
