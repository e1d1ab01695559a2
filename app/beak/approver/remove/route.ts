import { z } from 'zod'
import { requestRemoval } from '@/lib/domain/approvers/remove'
import { Approver } from '@/lib/domain/approvers/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'removeApprover',
  summary: 'Ask for the removal of your approver',
  description:
    'The approver is removed 24 hours later, unless any session of the account keeps it with POST /beak/approver/keep. The owner is told by mail, text message, webhook and on open pages. A second call changes nothing.',
  remarks: ['Closing the account, and the undo of a stolen address, remove it at once.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({}),
  response: Approver,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'approver_not_found'],
  attempt: 'approver.removal_requested',
  handle: (context) => requestRemoval(context),
})
