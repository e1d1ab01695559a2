import { z } from 'zod'
import { pauseAllRules, pauseRule } from '@/lib/domain/pecks/rules/commands'
import { AllRules, PresentedRule, RulePause } from '@/lib/domain/pecks/rules/schema'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'pauseRule',
  summary: 'Pause a rule, or everything',
  description:
    'A paused rule answers nothing. `all` pauses everything that may happen without asking, until you resume all: no rule answers, no permission that you gave can be used (409 `paused`), and no SSO token of your agents is active. Later rules and permissions are paused too.',
  remarks: [
    'Pausing all, or a rule that only watches, needs no proof.',
    'No use commits after the pause has. Nothing ends by it, and times go on. Requests still arrive and wait for you. Somebody who checks a permission or a receipt offline cannot know of a pause.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RulePause,
  response: z.union([PresentedRule, AllRules]),
  failures: ['rule_not_found', 'rule_ended', ...proofFailures],
  attempt: 'rule.paused',
  handle: (context, { body }) => ('all' in body ? pauseAllRules(context) : pauseRule(context, body.rule_id)),
})
