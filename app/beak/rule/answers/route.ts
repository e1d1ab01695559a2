import { z } from 'zod'
import { listAnswers, RuleAnswer } from '@/lib/domain/pecks/rules/read'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listRuleAnswers',
  summary: 'List what your rules answered',
  description: 'Newest first. To undo an approval, revoke its permission with POST /beak/peck/revoke.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(RuleAnswer),
  handle: (context, { query }) => listAnswers(context, pageRequest(query)),
})
