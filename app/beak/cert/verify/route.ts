import { z } from 'zod'
import { verifyCertificate } from '@/lib/domain/certs/read'
import { Verification } from '@/lib/domain/certs/schema'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/secrets/ids'

export const GET = endpoint({
  operationId: 'verifyCertificate',
  summary: 'Check a birth certificate',
  description:
    'Anybody can ask. `valid` is true only while the certificate is active and its account is open. For an unknown `cert_id`, the answer has `valid: false` too.',
  remarks: [
    '`handle` is there while the directory lists the owner. An unknown id is 404, and a malformed one 400. The reason of a revocation is not shown.',
  ],
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ cert_id: idSchema('certificate') }),
  response: Verification,
  failures: ['certificate_not_found'],
  handle: (context, { query }) => verifyCertificate(context, query.cert_id),
})
