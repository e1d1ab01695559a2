import { z } from 'zod'
import { listInvitations } from '@/lib/domain/invitations/create'
import { Invitation } from '@/lib/domain/invitations/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listInvitations',
  summary: 'List your invitation links',
  description: 'Newest first, with those that ended in the last 30 days.',
  remarks: ['Links that have ended are listed without `url`, and are deleted after the 30 days.'],
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Invitation),
  handle: (context, { query }) => listInvitations(context, pageRequest(query)),
})
