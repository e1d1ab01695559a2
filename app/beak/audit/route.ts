import { listEvents } from '@/lib/domain/audit/list'
import { AuditPage, AuditQuery } from '@/lib/domain/audit/schema'
import { endpoint } from '@/lib/http/endpoint'
import { pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listAuditEvents',
  summary: 'Read your audit log',
  description:
    'Everything that happened to your account, refused attempts included, newest first. The events form a hash chain whose signed end is at GET /beak/audit/head; `beak audit verify` checks an export of it (/docs/sites/check-it-yourself). `topic` returns only events about agents, requests, sign-ins, settings or people. `names=true` adds the names behind the ids.',
  remarks: [
    '`outcome` is `success` or `denied`. `actor.type` is `duckling`, `agent`, `anonymous` or `system`, which has the id `host` for a command of the host and otherwise none. For `hash` and `digest` see /docs/audit.',
  ],
  auth: 'session-or-agent',
  capability: 'read:audit',
  limit: 'authenticated',
  cost: ({ query }) => query.limit / 100,
  query: AuditQuery,
  response: AuditPage,
  handle: (context, { query }) => listEvents(context, pageRequest(query), query),
})
