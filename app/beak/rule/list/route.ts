import { z } from 'zod'
import { listRules } from '@/lib/domain/pecks/rules/read'
import { PresentedRule } from '@/lib/domain/pecks/rules/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listRules',
  summary: 'List your rules',
  description: 'Newest first, with those that have ended.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(PresentedRule),
  handle: (context, { query }) => listRules(context, pageRequest(query)),
})
