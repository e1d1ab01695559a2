import { exportAccount } from '@/lib/domain/accounts/export'
import { AccountExport } from '@/lib/domain/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Export everything held about you',
  description:
    'One document, lists oldest first, without secrets. Its `audit` part is the whole chain with its signed head: check it offline with `npm run audit:verify -- export.json`. Needs a passkey proof in the last 10 minutes, or a sign-in where the account has no passkey.',
  auth: 'session',
  limit: 'authenticated',
  response: AccountExport,
  failures: ['fresh_sign_in_needed', 'passkey_proof_needed'],
  attempt: 'duckling.exported',
  responseHeaders: { 'Content-Disposition': 'attachment; filename="beak-export.json"' },
  handle: (context) => exportAccount(context),
})
