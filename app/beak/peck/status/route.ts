import { z } from 'zod'
import { peckStatus } from '@/lib/domain/pecks/follow/stream'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { wholeNumber } from '@/lib/kernel/request/fields'

export const GET = endpoint({
  operationId: 'getPeck',
  summary: 'See a peck, or wait until it is decided',
  description:
    'With `wait`, the answer comes when the peck is decided or after that many seconds. An account and its agents together may have 20 long polls and streams open.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: z.strictObject({
    peck_id: peckId,
    wait: z
      .string()
      .regex(/^([0-9]|[12][0-9]|30)$/, 'must be a whole number of seconds from 0 to 30')
      .transform(Number)
      .default(0)
      .meta({ ...wholeNumber, minimum: 0, maximum: 30, description: 'Seconds to wait for the decision.' }),
  }),
  response: Peck,
  failures: ['peck_not_found', 'too_many_open_connections'],
  handle: (context, { query, signal }) => peckStatus(context, query.peck_id, query.wait, signal),
})
