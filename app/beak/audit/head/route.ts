import { auditHead } from '@/lib/domain/audit/head'
import { AuditHead } from '@/lib/domain/audit/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Get the signed end of your audit log',
  description: 'Keep it: with it anybody can find out later whether the log behind it was changed.',
  auth: 'session',
  limit: 'authenticated',
  response: AuditHead,
  handle: (context) => auditHead(context),
})
