import { z } from 'zod'
import { issueToken } from '@/lib/domain/sso/issue'
import { ssoScope } from '@/lib/domain/sso/schema'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/request/fields'
import { hostNameField } from '@/lib/kernel/request/host-name'

export const POST = endpoint({
  operationId: 'issueSsoToken',
  summary: 'Issue an SSO token',
  description:
    'The token is for one domain and valid for five minutes. Only this answer contains it. The domain verifies it with /beak/sso/verify, or you exchange it with POST /beak/sso/bridge. The first token of a session for a domain needs a recent proof of you. It counts for no other session, and ends with the session or when the passkey that gave it is removed.',
  remarks: [
    'An agent gets 409 `paused` while its owner has paused everything, and its tokens are not active.',
    '`target_domain` is a host name (IDNA, lower case, without port, no IP address). `scope` is 1 to 10 words with single spaces.',
    'A proof without a passkey counts while the account has no passkey. So a session of the device flow, or one by a mailed code in an account with a passkey, signs on nowhere until a passkey confirms it. A known device has no proof, because whoever copied its cookie would have it for months.',
  ],
  auth: 'session-or-agent',
  capability: 'issue:sso',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ target_domain: hostNameField, scope: ssoScope }),
  response: z.object({
    sso_token: z.string(),
    target_domain: z.string(),
    scope: z.string(),
    expires_at: instant,
  }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'paused'],
  attempt: 'sso.issued',
  handle: (context, { body }) => issueToken(context, body.target_domain, body.scope),
})
