import { closeAccount } from '@/lib/domain/accounts/close'
import { ClosedAccount } from '@/lib/domain/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Close your account',
  description:
    'For good. Needs a passkey proof in the last 10 minutes, or a sign-in where the account has no passkey. Your certificate is revoked, your agents are deregistered, keys, sessions, passkeys, SSO tokens and webhooks end, pending pecks are cancelled and grants revoked; `touched` names them all.',
  auth: 'session',
  limit: 'authenticated',
  response: ClosedAccount,
  failures: ['fresh_sign_in_needed', 'passkey_proof_needed'],
  attempt: 'duckling.closed',
  handle: (context) => closeAccount(context),
})
