import { z } from 'zod'
import { invitationToken } from '@/lib/domain/invitations/link'
import { OpenInvitation } from '@/lib/domain/invitations/schema'
import { linkFailures, viewInvitation } from '@/lib/domain/invitations/use'
import { endpoint } from '@/lib/http/endpoint'

// No credential: an invitation is for everybody who has the link (contract C, Invitations).
export const GET = endpoint({
  operationId: 'viewInvitation',
  summary: 'Read an invitation link',
  description:
    'Says whom the link is from and what may be asked with it. `token` is the last part of the link. The page of the link gives the same answer to `Accept: application/json`.',
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ token: invitationToken }),
  response: OpenInvitation,
  failures: [...linkFailures],
  handle: (context, { query }) => viewInvitation(context, query.token),
})
