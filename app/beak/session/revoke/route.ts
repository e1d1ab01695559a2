import { z } from 'zod'
import { revokeAll } from '@/lib/domain/oauth/connection'
import { RevokedThing } from '@/lib/domain/sessions/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'revokeSession',
  summary: 'End one session, all other sessions, or the approval of a device',
  description:
    '`device_request_id` takes back the approval of a device that has not signed in yet. `all_others` takes back all of them. A session that signed in with a passkey is ended only with a recent proof of you. A session of the device flow needs the proof to end any other.',
  remarks: [
    'With `connected_agents`, `all_others` also ends the connections of programs that you allowed: `disconnected_agents` are their agents. Agents with a beak key stay.',
    'The known devices of the ended sessions go too, and `all_others` removes every known device but yours. POST /beak/device/token of a device whose approval was taken back answers `denied`. A device that has signed in meanwhile is 404: its session is in the list.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RevokedThing,
  response: z.object({
    success: z.literal(true),
    revoked: z.int(),
    disconnected_agents: z.array(z.string()).optional(),
  }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'session_not_found'],
  attempt: 'session.revoked',
  handle: (context, { body }) => revokeAll(context, body),
})
