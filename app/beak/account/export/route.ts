import { exportAccount } from '@/lib/domain/accounts/export'
import { AccountExport } from '@/lib/domain/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'exportAccount',
  summary: 'Export your data',
  description:
    'All data about you in one document, without secrets. Lists are oldest first. `audit` has your whole audit chain with its signed head. Anybody can check it with `beak audit verify export.json` (/docs/sites/check-it-yourself). Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  remarks: [
    'Received pecks have their risk and, if they are snoozed, `snoozed_until`. What the page displayed is there in English, as it is signed.',
  ],
  auth: 'session',
  limit: 'authenticated',
  cost: () => 40,
  response: AccountExport,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'duckling.exported',
  responseHeaders: { 'Content-Disposition': 'attachment; filename="beak-export.json"' },
  handle: (context) => exportAccount(context),
})
