import { z } from 'zod'
import { peckDetails } from '@/lib/domain/pecks/lists/details'
import { PeckDetails } from '@/lib/domain/pecks/lists/details-schema'
import { peckIds } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

// What a person needs for a decision besides the peck itself (contract C, Pecks and grants).
export const GET = endpoint({
  operationId: 'getPeckDetails',
  summary: 'Read what helps to decide on pecks',
  description:
    'For up to 100 pecks that you sent or received, in `peck_ids`, separated by commas: the lifetime asked for, the certificate of the person behind the request, whether you block them, whether a passkey signed the approval, and when the grant was revoked. Pecks of other people are left out.',
  auth: 'session',
  limit: 'authenticated',
  cost: ({ query }) => query.peck_ids.length / 4,
  query: z.strictObject({ peck_ids: peckIds }),
  response: z.object({ items: z.array(PeckDetails) }),
  handle: async (context, { query }) => ({ items: await peckDetails(context, query.peck_ids) }),
})
