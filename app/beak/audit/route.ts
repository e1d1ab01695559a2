import { listEvents } from '@/lib/domain/audit/list'
import { AuditEvent, AuditQuery } from '@/lib/domain/audit/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  summary: 'Read your audit log',
  description:
    'Everything that happened to your account, refused attempts included, newest first. The events form a hash chain whose signed end is at GET /beak/audit/head; `npm run audit:verify` checks it offline.',
  auth: 'session-or-agent',
  capability: 'read:audit',
  limit: 'authenticated',
  query: AuditQuery,
  response: listOf(AuditEvent),
  handle: (context, { query }) => listEvents(context, pageRequest(query), query),
})
