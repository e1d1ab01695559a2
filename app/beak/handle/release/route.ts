import { OwnHandle } from '@/lib/domain/handles/holder'
import { releaseHandle } from '@/lib/domain/identity/claim-handle'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'releaseHandle',
  summary: 'Give up your handle',
  description:
    'Your public page ends. For a year nobody else can have the handle or a look-alike. You can take it back with `claimHandle`, which counts as a change.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  response: OwnHandle,
  failures: ['no_handle'],
  attempt: 'handle.released',
  handle: (context) => releaseHandle(context),
})
