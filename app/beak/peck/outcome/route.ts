import { z } from 'zod'
import { outcomeReceipt } from '@/lib/domain/pecks/receipts/outcome-receipt'
import { OutcomeReceipt } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import { peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

// A path of its own, because a program that takes every valid receipt for an approval must not get a rejection (contract D1).
export const GET = endpoint({
  operationId: 'getOutcomeReceipt',
  summary: 'Get the receipt of an outcome',
  description:
    'Proves the outcome of a request, signed by the service and by the passkey that decided. `values=false` leaves the values out, and with them a passkey’s signature on version 1. The format is at /docs/receipts.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: z.strictObject({
    peck_id: peckId,
    values: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({ type: 'boolean', enum: undefined, description: 'Default: true.' }),
  }),
  response: OutcomeReceipt,
  failures: ['peck_not_found', 'peck_undecided'],
  handle: (context, { query }) =>
    outcomeReceipt(context, { peckId: query.peck_id, withValues: query.values ?? true }),
})
