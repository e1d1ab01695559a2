import { z } from 'zod'
import { listCertificates } from '@/lib/domain/certs/read'
import { Certificate } from '@/lib/domain/certs/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

// Earlier certificates, which people look up after a revocation.
export const GET = endpoint({
  operationId: 'listCertificates',
  summary: 'List your birth certificates',
  description: 'All that you ever had, newest first.',
  auth: 'session-or-agent',
  capability: 'read:cert',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Certificate),
  handle: (context, { query }) => listCertificates(context, pageRequest(query)),
})
