import { z } from 'zod'
import { listSessions } from '@/lib/domain/sessions/list'
import { Session } from '@/lib/domain/sessions/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  operationId: 'listSessions',
  summary: 'List your live sessions',
  description: '`current` is true for the session of this request.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Session),
  handle: (context, { query }) => listSessions(context, pageRequest(query)),
})
