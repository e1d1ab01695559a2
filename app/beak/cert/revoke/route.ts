import { z } from 'zod'
import { revokeCertificate } from '@/lib/domain/certs/issue'
import { Certificate } from '@/lib/domain/certs/schema'
import { endpoint } from '@/lib/http/endpoint'
import { reason } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'revokeCertificate',
  summary: 'Revoke your birth certificate',
  description:
    'Revokes it permanently. Only you can see the reason, here and in your audit log. You can issue a new certificate.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ reason }),
  response: Certificate,
  failures: ['certificate_not_found'],
  attempt: 'cert.revoked',
  handle: (context, { body }) => revokeCertificate(context, body.reason),
})
