import { z } from 'zod'
import { unshareReceipt } from '@/lib/domain/pecks/receipts/share'
import { ShareEnded } from '@/lib/domain/pecks/receipts/share-schema'
import { peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

// The person who shared a receipt can stop sharing it (contract C, Pecks and grants).
export const POST = endpoint({
  operationId: 'unshareReceipt',
  summary: 'Stop sharing a receipt',
  description:
    'The link of the caller becomes invalid at once. The target also ends the link of the requester, who cannot share the receipt again. The link of the target stays valid when the requester stops.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: ShareEnded,
  failures: ['peck_not_found', 'receipt_not_shared'],
  attempt: 'peck.receipt_unshared',
  handle: (context, { body }) => unshareReceipt(context, body.peck_id),
})
