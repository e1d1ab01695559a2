import { closeAccount } from '@/lib/accounts/close'
import { ClosedAccount } from '@/lib/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Close your account',
  description:
    'For good. Needs a sign-in at most 15 minutes old. Your certificate is revoked, your agents are deregistered, keys, sessions, passkeys, SSO tokens and webhooks end, pending pecks are cancelled and grants revoked; `touched` names them all.',
  auth: 'session',
  limit: 'authenticated',
  response: ClosedAccount,
  failures: ['fresh_sign_in_needed'],
  attempt: 'duckling.closed',
  handle: (context) => closeAccount(context),
})
