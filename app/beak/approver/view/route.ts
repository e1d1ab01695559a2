import { z } from 'zod'
import { Approver } from '@/lib/domain/approvers/schema'
import { viewApprover } from '@/lib/domain/approvers/view'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'viewApprover',
  summary: 'See your approver',
  description: '`approver` is null when there is none.',
  auth: 'session',
  limit: 'authenticated',
  response: z.object({ approver: Approver.nullable() }),
  failures: [],
  handle: (context) => viewApprover(context),
})
