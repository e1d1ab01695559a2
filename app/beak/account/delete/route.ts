import { closeAccount } from '@/lib/domain/accounts/close'
import { ClosedAccount } from '@/lib/domain/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'closeAccount',
  summary: 'Close your account',
  description:
    'This cannot be undone. Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey. Your certificate is revoked and your agents are deregistered. Keys, sessions, passkeys, SSO tokens and webhooks end. Pending pecks are cancelled and grants are revoked. `touched` lists them all.',
  auth: 'session',
  limit: 'authenticated',
  response: ClosedAccount,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'duckling.closed',
  handle: (context) => closeAccount(context),
})
