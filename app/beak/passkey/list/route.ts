import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'
import { listPasskeys } from '@/lib/passkeys/list'
import { ListedPasskey } from '@/lib/passkeys/schema'

export const GET = endpoint({
  summary: 'Your passkeys',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(ListedPasskey),
  handle: (context, { query }) => listPasskeys(context, pageRequest(query)),
})
