import { auditHead } from '@/lib/domain/audit/list'
import { AuditHead } from '@/lib/domain/audit/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getAuditHead',
  summary: 'Get the signed head of your audit log',
  description: 'Save the head. With it, anybody can find out later whether the events up to it were changed.',
  auth: 'session',
  limit: 'authenticated',
  response: AuditHead,
  handle: (context) => auditHead(context),
})
