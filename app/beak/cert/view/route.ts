import { Certificate } from '@/lib/domain/certs/schema'
import { viewCertificate } from '@/lib/domain/certs/view'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getCertificate',
  summary: 'See your birth certificate',
  description: 'Returns your newest certificate, with any status.',
  auth: 'session-or-agent',
  capability: 'read:cert',
  limit: 'authenticated',
  response: Certificate,
  failures: ['certificate_not_found'],
  handle: (context) => viewCertificate(context),
})
