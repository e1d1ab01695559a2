import { z } from 'zod'
import { revokeInvitation } from '@/lib/domain/invitations/create'
import { Invitation } from '@/lib/domain/invitations/schema'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/secrets/ids'

export const POST = endpoint({
  operationId: 'revokeInvitation',
  summary: 'Revoke an invitation link',
  description: 'The link stops working immediately. Requests that came with it stay in your inbox.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ invitation_id: idSchema('invitation') }),
  response: Invitation,
  failures: ['invitation_not_found'],
  attempt: 'invitation.revoked',
  handle: (context, { body }) => revokeInvitation(context, body.invitation_id),
})
