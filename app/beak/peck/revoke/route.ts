import { z } from 'zod'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'revokeGrant',
  summary: 'Revoke a permission that you gave',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'grant_not_active'],
  attempt: 'peck.revoked',
  handle: (context, { body }) => revokeGrant(context, body.peck_id),
})
