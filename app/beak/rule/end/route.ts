import { z } from 'zod'
import { endRule } from '@/lib/domain/pecks/rules/commands'
import { PresentedRule, ruleId } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'endRule',
  summary: 'End a rule',
  description:
    'The rule answers nothing any more. Permissions that it gave stay until they end or you revoke them.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ rule_id: ruleId }),
  response: PresentedRule,
  failures: ['rule_not_found'],
  attempt: 'rule.ended',
  handle: (context, { body }) => endRule(context, body.rule_id),
})
