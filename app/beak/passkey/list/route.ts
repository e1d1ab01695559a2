import { z } from 'zod'
import { listPasskeys, Recovery } from '@/lib/domain/passkeys/recovery'
import { ListedPasskey } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listPasskeys',
  summary: 'List your passkeys',
  description: '`recovery` is the pending removal of all passkeys (POST /beak/passkey/recover), or null.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(ListedPasskey).extend({ recovery: Recovery.nullable() }),
  handle: (context, { query }) => listPasskeys(context, pageRequest(query)),
})
