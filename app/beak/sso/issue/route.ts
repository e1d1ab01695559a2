import { z } from 'zod'
import { issueToken } from '@/lib/domain/sso/issue'
import { ssoScope } from '@/lib/domain/sso/schema'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/fields'
import { hostNameField } from '@/lib/kernel/host-name'

export const POST = endpoint({
  operationId: 'issueSsoToken',
  summary: 'Issue an SSO token',
  description:
    'The token is for one domain and valid for five minutes. Only this answer contains it. The domain verifies it with /beak/sso/verify, or you exchange it with POST /beak/sso/bridge. The first token of a session for a domain needs a recent proof of you. It counts for no other session, and ends with the session or when the passkey that gave it is removed.',
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
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'sso.issued',
  handle: (context, { body }) => issueToken(context, body.target_domain, body.scope),
})
