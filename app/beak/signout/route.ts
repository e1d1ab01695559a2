import { z } from 'zod'
import { signOut } from '@/lib/domain/sessions/end'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'signOut',
  summary: 'Sign out',
  description:
    'Ends the session of the token in this request. The token is rejected from the next request on.',
  auth: 'session',
  limit: 'authenticated',
  allowsUnproved: true,
  response: z.object({ success: z.literal(true) }),
  attempt: 'session.ended',
  handle: async (context) => {
    await signOut(context)
    return { success: true as const }
  },
})
