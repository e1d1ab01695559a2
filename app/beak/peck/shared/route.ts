import { z } from 'zod'
import { SharedReceipt, shareId } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import { readSharedReceipt } from '@/lib/domain/pecks/receipts/share'
import { endpoint } from '@/lib/http/endpoint'

// No credential: a shared receipt is for everybody who has the link.
export const GET = endpoint({
  operationId: 'readSharedReceipt',
  summary: 'Read a shared receipt',
  description:
    'Returns the receipt to anybody who has the link. Verify the receipt with the keys of the service before you rely on it.',
  remarks: ['It has no handles.'],
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ id: shareId }),
  response: SharedReceipt,
  failures: ['receipt_not_shared'],
  handle: (context, { query }) => readSharedReceipt(context, query.id),
})
