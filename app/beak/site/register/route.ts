import { NewSite, SiteWithSecret } from '@/lib/domain/oauth/site-schema'
import { registerSite } from '@/lib/domain/oauth/sites'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'registerSite',
  summary: 'Register a site whose visitors sign in with Beak',
  description:
    'Only this answer contains the `client_secret`. It needs a recent proof of you and a confirmed email address; a session of the device flow cannot do it. People see the host of the addresses, so all of them are at one host.',
  remarks: [
    'An account has at most 20 sites. The site is a client of OpenID Connect: its library needs `BASE_URL`, `client_id` and `client_secret`, uses PKCE, and asks for `openid` and any of `profile`, `email`, `tier`, `handle` and `certificate`. `sub` is another one at each host.',
  ],
  auth: 'session',
  limit: 'authenticated',
  tier: 'T1',
  idempotencyKey: true,
  body: NewSite,
  response: SiteWithSecret,
  failures: ['fresh_passkey_needed', 'fresh_sign_in_needed', 'too_many_sites'],
  attempt: 'site.registered',
  handle: (context, { body }) => registerSite(context, body),
})
