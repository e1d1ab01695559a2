import { issueCertificate } from '@/lib/domain/certs/issue'
import { Certificate } from '@/lib/domain/certs/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'issueCertificate',
  summary: 'Get a birth certificate',
  description:
    'Issues a certificate at your current tier, also as a signed credential. Your certificate at a lower tier becomes `superseded`.',
  remarks: ['An active certificate at the same tier is 409.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  tier: 'T1',
  response: Certificate,
  failures: ['certificate_already_active'],
  attempt: 'cert.issued',
  handle: (context) => issueCertificate(context),
})
