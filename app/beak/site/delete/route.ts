import { z } from 'zod'
import { siteId } from '@/lib/domain/oauth/site-schema'
import { deleteSite } from '@/lib/domain/oauth/sites'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'deleteSite',
  summary: 'Delete a site, and end all sign-ins there',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ client_id: siteId }),
  response: z.object({ success: z.literal(true), client_id: z.string() }),
  failures: ['site_not_found', 'fresh_passkey_needed', 'fresh_sign_in_needed'],
  attempt: 'site.deleted',
  handle: (context, { body }) => deleteSite(context, body.client_id),
})
