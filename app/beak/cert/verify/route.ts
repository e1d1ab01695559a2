import { z } from 'zod'
import { Verification } from '@/lib/domain/certs/schema'
import { verifyCertificate } from '@/lib/domain/certs/verify'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/ids'

export const GET = endpoint({
  operationId: 'verifyCertificate',
  summary: 'Check a birth certificate',
  description:
    'Anybody can ask. `valid` is true only while the certificate is active and its account is open. For an unknown `cert_id`, the answer has `valid: false` too.',
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ cert_id: idSchema('certificate') }),
  response: Verification,
  failures: ['certificate_not_found'],
  handle: (context, { query }) => verifyCertificate(context, query.cert_id),
})
