import { z } from 'zod'
import { peckReceipt, Receipt } from '@/lib/domain/pecks/receipts/receipt'
import { peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getReceipt',
  summary: 'Get the receipt of an approval, version 1',
  description:
    'Use `getOutcomeReceipt` instead. Shows the asker and the target exactly what was approved, signed by the service and, if a passkey signed version 1 of the statement, by that passkey. The pages sign version 2.',
  // Agents may not call this. The operator of the agent that asked can.
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({ peck_id: peckId }),
  response: Receipt,
  failures: ['peck_not_found', 'peck_not_approved'],
  deprecated: { since: '2026-11-23', sunset: '2027-02-23', see: '/docs/sites/verify#a-receipt' },
  handle: (context, { query }) => peckReceipt(context, query.peck_id),
})
