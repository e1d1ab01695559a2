import { approvePeck, decisionProofFailures } from '@/lib/domain/pecks/decide/approve'
import { ApprovalRequest, Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'approvePeck',
  summary: 'Approve a peck',
  description:
    'Only the target can approve, with a session. `grant_expires_in` sets the lifetime of the grant. With a passkey it may not exceed the requested lifetime, which the passkey signs. `passkey` is the assertion over the challenge from POST /beak/passkey/challenge. It is required for a `standing` permission, for a high risk when the account has a passkey, for a request with `require`, and for every peck when your profile has `require_passkey_for_pecks`. A high risk in an account without a passkey needs a sign-in in the last 10 minutes. Without an assertion, a session of the device flow approves low risks only.',
  remarks: [
    'What an approver covers needs the assertion of the approver: 403 (`approver_needed`). A peck that is not pending is 409 with `current_status`. Of simultaneous decisions one wins.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ApprovalRequest,
  response: Peck,
  failures: [
    'peck_not_found',
    'not_the_target',
    'peck_not_pending',
    'tier_too_low',
    ...decisionProofFailures,
    'passkey_assertion_invalid',
  ],
  attempt: 'peck.approved',
  handle: (context, { body }) =>
    approvePeck(context, {
      peckId: body.peck_id,
      grantExpiresIn: body.grant_expires_in,
      passkey: body.passkey,
    }),
})
