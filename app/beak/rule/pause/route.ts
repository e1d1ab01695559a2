import { z } from 'zod'
import { pauseAllRules, pauseRule } from '@/lib/domain/pecks/rules/commands'
import { AllRules, PresentedRule, RulePause } from '@/lib/domain/pecks/rules/schema'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'pauseRule',
  summary: 'Pause a rule, or all',
  description:
    'Paused rules answer nothing. With `all`, later rules answer nothing either, until you resume all.',
  remarks: ['Pausing all, or a rule that only watches, needs no proof.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RulePause,
  response: z.union([PresentedRule, AllRules]),
  failures: ['rule_not_found', 'rule_ended', ...proofFailures],
  attempt: 'rule.paused',
  handle: (context, { body }) => ('all' in body ? pauseAllRules(context) : pauseRule(context, body.rule_id)),
})
