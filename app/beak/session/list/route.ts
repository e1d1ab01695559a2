import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'
import { listSessions } from '@/lib/sessions/list'
import { Session } from '@/lib/sessions/schema'

export const GET = endpoint({
  summary: 'List your live sessions',
  description: '`current` marks the one that asks.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Session),
  handle: (context, { query }) => listSessions(context, pageRequest(query)),
})
