import { z } from 'zod'
import { RuleEndPreview, ruleId } from '@/lib/domain/pecks/rules/schema'
import { previewRuleEnd } from '@/lib/domain/pecks/rules/unused'
import { endpoint } from '@/lib/http/endpoint'

// What people want to know before they end a rule.
export const GET = endpoint({
  operationId: 'previewRuleEnd',
  summary: 'Preview what ending a rule revokes',
  description: 'Counts the permissions that the rule gave and nobody has used. They end with it.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({ rule_id: ruleId }),
  response: RuleEndPreview,
  failures: ['rule_not_found'],
  handle: (context, { query }) => previewRuleEnd(context, query.rule_id),
})
