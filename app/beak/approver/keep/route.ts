import { z } from 'zod'
import { keepApprover } from '@/lib/domain/approvers/remove'
import { Approver } from '@/lib/domain/approvers/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'keepApprover',
  summary: 'Keep your approver',
  description: 'Takes back the request to remove it. A second call changes nothing.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({}),
  response: Approver,
  failures: ['approver_not_found'],
  attempt: 'approver.kept',
  handle: (context) => keepApprover(context),
})
