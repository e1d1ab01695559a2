import { createInvitation } from '@/lib/domain/invitations/create'
import { Invitation, InvitationRequest } from '@/lib/domain/invitations/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'createInvitation',
  summary: 'Make an invitation link',
  description:
    'Who has the link may ask you for a permission with POST /beak/peck/request: also a stranger, and also below your `min_peck_tier`, from T1 on. Such requests come into the first list of your inbox. Each needs your answer, as any other. The link can be for one agent, one action, a number of requests, and a time. Blocks stay. When your `min_peck_tier` is above T1, it needs a recent proof of you.',
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
