import { z } from 'zod'
import { OwnHandle } from '@/lib/domain/handles/holder'
import { claimHandle } from '@/lib/domain/identity/claim-handle'
import { endpoint } from '@/lib/http/endpoint'
import { newHandle } from '@/lib/kernel/request/handle'

export const POST = endpoint({
  operationId: 'claimHandle',
  summary: 'Choose your handle',
  description:
    'A handle has 3 to 24 letters, digits and hyphens, and is unique: `1` and `l` look alike, `0` and `o` too, and hyphens do not count. The first one is free. After that, you can change it twice in 365 days. Your handle of before leads nowhere, and only you can take it back in the next year.',
  remarks: [
    'A malformed or reserved handle is 400, and one that is taken or looks like a taken one is 409. Without a change left, the answer is 429 with `next_allowed_at`. Your present handle changes nothing. Of simultaneous claims of one handle one succeeds.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  tier: 'T1',
  body: z.strictObject({ handle: newHandle.meta({ description: 'Without `@`.' }) }),
  response: OwnHandle,
  failures: ['handle_taken', 'handle_change_throttled'],
  attempt: 'handle.claimed',
  handle: (context, { body }) => claimHandle(context, body.handle),
})
