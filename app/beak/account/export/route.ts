import { exportAccount } from '@/lib/accounts/export'
import { AccountExport } from '@/lib/accounts/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Export everything held about you',
  description:
    'One document, lists oldest first, without secrets. Its `audit` part is the whole chain with its signed head: check it offline with `npm run audit:verify -- export.json`.',
  auth: 'session',
  limit: 'authenticated',
  response: AccountExport,
  responseHeaders: { 'Content-Disposition': 'attachment; filename="beak-export.json"' },
  handle: (context) => exportAccount(context),
})
