import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { ApprovalRequest, Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Give the permission asked for',
  description:
    'Only the duckling that was asked, with a session of its own. `grant_expires_in` sets how long the grant lasts; with a passkey at most as long as was asked, for that is what it signs. A `standing` permission, and any where the profile says `require_passkey_for_pecks`, is confirmed with `passkey`: the assertion over the challenge from POST /beak/passkey/challenge.',
  auth: 'session',
  limit: 'authenticated',
  body: ApprovalRequest,
  response: Peck,
  failures: [
    'peck_missing',
    'not_the_target',
    'peck_not_pending',
    'tier_too_low',
    'passkey_confirmation_needed',
    'passkey_refused',
  ],
  attempt: 'peck.approved',
  handle: (context, { body }) =>
    approvePeck(context, {
      peckId: body.peck_id,
      grantExpiresIn: body.grant_expires_in,
      passkey: body.passkey,
    }),
})
