import { z } from 'zod'
import { endRule } from '@/lib/domain/pecks/rules/commands'
import { EndedRule, ruleId } from '@/lib/domain/pecks/rules/schema'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'endRule',
  summary: 'End a rule',
  description:
    'The rule answers nothing any more, and the permissions that it gave and nobody has used are revoked. GET /beak/rule/end/preview counts them.',
  remarks: ['A rule that has expired can be ended, too.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ rule_id: ruleId }),
  response: EndedRule,
  failures: ['rule_not_found', ...proofFailures],
  attempt: 'rule.ended',
  handle: (context, { body }) => endRule(context, body.rule_id),
})
