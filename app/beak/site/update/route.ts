import { ChangedSite, SiteChange } from '@/lib/domain/oauth/site-schema'
import { updateSite } from '@/lib/domain/oauth/sites'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateSite',
  summary: 'Change a site, or its secret',
  description:
    'Sets the name and all addresses to what is given. They stay at the host of the site. Each change needs a recent proof of you.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: SiteChange,
  response: ChangedSite,
  failures: ['site_not_found', 'fresh_passkey_needed', 'fresh_sign_in_needed'],
  attempt: 'site.updated',
  handle: (context, { body }) => updateSite(context, body),
})
