import { z } from 'zod'
import { issueToken } from '@/lib/domain/sso/issue'
import { ssoScope } from '@/lib/domain/sso/schema'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/fields'
import { hostNameField } from '@/lib/kernel/host-name'

export const POST = endpoint({
  summary: 'Issue an SSO token',
  description:
    'For one other domain, five minutes, shown this once. That domain checks it with /beak/sso/verify, or you bridge it with POST /beak/sso/bridge.',
  auth: 'session-or-agent',
  capability: 'issue:sso',
  limit: 'authenticated',
  body: z.strictObject({ target_domain: hostNameField, scope: ssoScope }),
  response: z.object({
    sso_token: z.string(),
    target_domain: z.string(),
    scope: z.string(),
    expires_at: instant,
  }),
  attempt: 'sso.issued',
  handle: (context, { body }) => issueToken(context, body.target_domain, body.scope),
})
