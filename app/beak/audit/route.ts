import { listEvents } from '@/lib/domain/audit/list'
import { AuditEvent, AuditQuery } from '@/lib/domain/audit/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  summary: 'Read your audit log',
  description:
    'Returns all events of your account, newest first, refused attempts included. The events form a hash chain. GET /beak/audit/head returns its signed head, and `npm run audit:verify` verifies the chain offline.',
  auth: 'session-or-agent',
  capability: 'read:audit',
  limit: 'authenticated',
  query: AuditQuery,
  response: listOf(AuditEvent),
  handle: (context, { query }) => listEvents(context, pageRequest(query), query),
})
