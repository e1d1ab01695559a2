import { z } from 'zod'
import { RuleView, viewRule } from '@/lib/domain/pecks/rules/read'
import { ruleId } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'viewRule',
  summary: 'View a rule',
  description: 'With the newest 20 requests that the rule answered, or would have answered.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({ rule_id: ruleId }),
  response: RuleView,
  failures: ['rule_not_found'],
  handle: (context, { query }) => viewRule(context, query.rule_id),
})
