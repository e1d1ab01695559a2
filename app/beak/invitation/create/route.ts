import { createInvitation } from '@/lib/domain/invitations/create'
import { Invitation, InvitationRequest } from '@/lib/domain/invitations/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'createInvitation',
  summary: 'Make an invitation link',
  description:
    'Who has the link may ask you for a permission with POST /beak/peck/request: also a stranger, and also below your `min_peck_tier`, from T1 on. Such requests come into the first list of your inbox. Each needs your answer, as any other. The link can be for one agent, one action, a number of requests, and a time. Blocks stay. When your `min_peck_tier` is above T1, it needs a recent proof of you.',
  remarks: [
    '`uses` is 1 to 100,000, `expires_in` 60 seconds to 366 days, and `note` at most 280 characters. An account has at most 50 links that work. The token has 128 random bits. The service stores its SHA-256, and the token itself encrypted until the link ends, for the list.',
    'A request with an invitation is still a first contact: `risk.novelty` has `invited` beside `first_time_asker`. It is announced like a request of a known asker as long as the budget `invited` lasts, and beyond it with the daily mail about strangers. The limits of askers and the tier for standing permissions hold as always. Each new request spends one use, also a request of a known asker and one that a block hides: otherwise the number of uses would tell of the block. A refused request, an identical one that waits, and a repeat with the same `Idempotency-Key` spend nothing.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: InvitationRequest,
  response: Invitation,
  failures: [
    'agent_not_registered',
    'too_many_invitations',
    'session_invalid',
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
  ],
  attempt: 'invitation.created',
  handle: (context, { body }) => createInvitation(context, body),
})
