import { z } from 'zod'
import { ConsentDecision, consentBody } from '@/lib/domain/oauth/schema'
import { allowSite } from '@/lib/domain/oauth/site-consents'
import { siteScopes } from '@/lib/domain/oauth/site-scopes'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'signInAtSite',
  summary: 'Sign in at a site',
  description:
    'The site learns what is in `scopes`, as far as it asked for it, until you end that. Needs a recent proof of you and a confirmed email address; a session of the device flow cannot do it. Then send the browser to `continue`.',
  remarks: [
    'Of simultaneous decisions one succeeds, and the others are 409. A site that learns less than before loses the sign-ins of your other sessions. A sign-in ends with your session.',
  ],
  auth: 'session',
  limit: 'authenticated',
  tier: 'T1',
  body: consentBody.extend({ scopes: z.array(z.enum(siteScopes)).max(siteScopes.length) }),
  response: ConsentDecision,
  failures: ['fresh_passkey_needed', 'fresh_sign_in_needed', 'consent_not_found', 'consent_decided'],
  attempt: 'site.allowed',
  handle: (context, { body }) => allowSite(context, body, body.scopes),
})
