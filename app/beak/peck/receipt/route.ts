import { z } from 'zod'
import { peckReceipt } from '@/lib/domain/pecks/grant/receipt'
import { Receipt } from '@/lib/domain/pecks/grant/receipt-schema'
import { peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getReceipt',
  summary: 'Get the receipt of an approval',
  description:
    'Shows the asker and the target exactly what was approved, signed by the service and, if a passkey confirmed the approval, by that passkey. `npm run receipt:verify -- receipt.json` checks the receipt offline.',
  // Agents may not call this (contract A). The operator of the agent that asked can.
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({ peck_id: peckId }),
  response: Receipt,
  failures: ['peck_missing', 'peck_not_approved'],
  handle: (context, { query }) => peckReceipt(context, query.peck_id),
})
