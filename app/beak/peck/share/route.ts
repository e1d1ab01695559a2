import { Share, ShareRequest } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import { shareReceipt } from '@/lib/domain/pecks/receipts/share'
import { endpoint } from '@/lib/http/endpoint'

// Each side of a peck may show its receipt to everybody who has the link.
export const POST = endpoint({
  operationId: 'shareReceipt',
  summary: 'Share the receipt of a peck',
  description:
    'Gives the receipt a public page, with the names of both sides. Each side has its own link. Without `values` the page does not show the params. A second call keeps the link. The link of the requester ends when the target ends it or closes the account, and the requester cannot make another one.',
  remarks: [
    'For a decided or ended peck. It never shows secret params: with one, it shows only the other params.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ShareRequest,
  response: Share,
  failures: ['peck_not_found', 'peck_undecided', 'receipt_kept_private'],
  attempt: 'peck.receipt_shared',
  handle: (context, { body }) => shareReceipt(context, body),
})
