import { z } from 'zod'
import { startEnrolment } from '@/lib/domain/approvers/enrol'
import { ApproverEnrolment, approverOrigin } from '@/lib/domain/approvers/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'startApproverEnrolment',
  summary: 'Begin to set your approver',
  description:
    'Returns what the approver needs to make a passkey of its own site (/docs/approver). The challenge is valid for five minutes, for this session. Send the credential to POST /beak/approver/enrol/verify.',
  remarks: [
    '`origin` is https, or http with a host below `localhost`. Its host is neither the host of this service nor one above it, because a page of this service could then use its passkeys: otherwise the answer is 400.',
  ],
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ origin: approverOrigin }),
  response: ApproverEnrolment,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'approver_already_set'],
  attempt: 'passkey.challenged',
  handle: (context, { body }) => startEnrolment(context, body.origin),
})
