import { z } from 'zod'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'revokeGrant',
  summary: 'Revoke a permission that you gave',
  remarks: [
    'Only the target can revoke, and only an active grant. A grant that ends by its time before it is used up is told to both sides once, within seconds (`peck.grant_expired` in logs and webhooks, and the peck on streams), and later while the clock is in doubt. Each use compares the time, so the end never waits for that event. Nothing tells of the time of a grant that was used up or revoked, or of a test request.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'grant_not_active'],
  attempt: 'peck.revoked',
  handle: (context, { body }) => revokeGrant(context, body.peck_id),
})
