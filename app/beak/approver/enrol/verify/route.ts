import { z } from 'zod'
import { finishEnrolment } from '@/lib/domain/approvers/enrol'
import { Approver, covers } from '@/lib/domain/approvers/schema'
import { RegistrationCredential } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'finishApproverEnrolment',
  summary: 'Set your approver',
  description:
    'Takes the credential that the approver made. From then on, only the approver can approve what it covers. The owner is told by mail, and the passkey gets an entry in the transparency log.',
  remarks: [
    'Its passkey signs no sign-in, confirms no session and is not in GET /beak/passkey/list. Removing the approver comes before a change of `covers` or of the origin.',
    'With `approver: true`, POST /beak/passkey/challenge gives the options for it. The statement then has version 3 and names the approver, and approving or rejecting takes the assertion like any other. An approver may also decide what it does not cover, and decides each peck on its own.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ credential: RegistrationCredential, covers }),
  response: Approver,
  failures: [
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'passkey_assertion_invalid',
    'passkey_already_registered',
    'approver_already_set',
  ],
  attempt: 'approver.set',
  handle: (context, { body }) => finishEnrolment(context, body.credential, body.covers),
})
