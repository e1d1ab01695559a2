import { shareReceipt } from '@/lib/domain/pecks/receipts/share'
import { Share, ShareRequest } from '@/lib/domain/pecks/receipts/share-schema'
import { endpoint } from '@/lib/http/endpoint'

// Each side of a peck may show its receipt to everybody who has the link (contract C, Pecks and grants).
export const POST = endpoint({
  operationId: 'shareReceipt',
  summary: 'Share the receipt of a peck',
  description:
    'Gives the receipt a public page, with the names of both sides. Each side has its own link. Without `values` the page does not show the params. A second call keeps the link.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ShareRequest,
  response: Share,
  failures: ['peck_not_found', 'peck_undecided'],
  attempt: 'peck.receipt_shared',
  handle: (context, { body }) => shareReceipt(context, body),
})
