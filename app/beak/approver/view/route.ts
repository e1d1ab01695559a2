import { z } from 'zod'
import { Approver, viewApprover } from '@/lib/domain/approvers/schema'
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
