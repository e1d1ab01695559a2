import { z } from 'zod'
import { revokeSiteConsent } from '@/lib/domain/oauth/site-consents'
import { siteId } from '@/lib/domain/oauth/site-schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'revokeConsent',
  summary: 'End what a site may learn of you',
  description: 'Ends your sign-ins there too, and tells the site if it wants to know.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ site_id: siteId }),
  response: z.object({ success: z.literal(true), site_id: z.string() }),
  failures: ['site_not_found'],
  attempt: 'site.revoked',
  handle: (context, { body }) => revokeSiteConsent(context, body.site_id),
})
