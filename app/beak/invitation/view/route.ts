import { z } from 'zod'
import { linkFailures, viewInvitation } from '@/lib/domain/invitations/create'
import { invitationToken, OpenInvitation } from '@/lib/domain/invitations/schema'
import { endpoint } from '@/lib/http/endpoint'

// No credential: an invitation is for everybody who has the link.
export const GET = endpoint({
  operationId: 'viewInvitation',
  summary: 'Read an invitation link',
  description:
    'Says whom the link is from and what may be asked with it. `token` is the last part of the link. The page of the link gives the same answer to `Accept: application/json`.',
  remarks: [
    'The page names this address with `rel="alternate"`. The answer shows no note, agent or numbers, and a `handle` only of people whom the directory lists. A link that has ended is 409 and tells nothing else. An unknown one, and one whose owner has closed the account or is suspended, is 404. A request of another agent or action than the link allows is 403 (`invitation_mismatch`).',
  ],
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ token: invitationToken }),
  response: OpenInvitation,
  failures: [...linkFailures],
  handle: (context, { query }) => viewInvitation(context, query.token),
})
