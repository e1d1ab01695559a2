import { z } from 'zod'
import { listSessions } from '@/lib/domain/sessions/end'
import { ApprovedDevice, Session } from '@/lib/domain/sessions/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listSessions',
  summary: 'List your live sessions',
  description:
    '`current` is true for the session of this request. `approved_devices` are devices that you approved and that have not signed in yet; every page has all of them.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Session).extend({ approved_devices: z.array(ApprovedDevice) }),
  handle: (context, { query }) => listSessions(context, pageRequest(query)),
})
