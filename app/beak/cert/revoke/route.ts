import { z } from 'zod'
import { revokeCertificate } from '@/lib/domain/certs/revoke'
import { Certificate } from '@/lib/domain/certs/schema'
import { endpoint } from '@/lib/http/endpoint'
import { reason } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Revoke your birth certificate',
  description: 'For good. The reason stays between you and your audit log; a new certificate can be issued.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ reason }),
  response: Certificate,
  failures: ['certificate_missing'],
  attempt: 'cert.revoked',
  handle: (context, { body }) => revokeCertificate(context, body.reason),
})
