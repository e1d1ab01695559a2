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
