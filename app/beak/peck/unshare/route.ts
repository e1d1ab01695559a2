import { z } from 'zod'
import { ShareEnded } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import { unshareReceipt } from '@/lib/domain/pecks/receipts/share'
import { peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

// The person who shared a receipt can stop sharing it.
export const POST = endpoint({
  operationId: 'unshareReceipt',
  summary: 'Stop sharing a receipt',
  description:
    'The link of the caller becomes invalid at once. The target also ends the link of the requester, who cannot share the receipt again. The link of the target stays valid when the requester stops.',
  remarks: [
    'The target can end the link of the asker because the page shows the target’s name and decision. From then on the asker gets 403 (`receipt_kept_private`), until the target shares the receipt.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: ShareEnded,
  failures: ['peck_not_found', 'receipt_not_shared'],
  attempt: 'peck.receipt_unshared',
  handle: (context, { body }) => unshareReceipt(context, body.peck_id),
})
