import { z } from 'zod'
import { peckReceipt } from '@/lib/domain/pecks/grant/receipt'
import { peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { Receipt } from '@/lib/proofs/receipts/schema'

export const GET = endpoint({
  summary: 'Get the receipt of an approval',
  description:
    'For the one who asked and the one who approved: what exactly was approved, signed by the service and, where a passkey confirmed it, by that passkey. `npm run receipt:verify -- receipt.json` checks it offline.',
  // Not among what an agent may call (contract A): the operator of the one that asked gets it.
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({ peck_id: peckId }),
  response: Receipt,
  failures: ['peck_missing', 'peck_not_approved'],
  handle: (context, { query }) => peckReceipt(context, query.peck_id),
})
