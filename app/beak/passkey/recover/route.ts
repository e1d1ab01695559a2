import { z } from 'zod'
import { Recovery, startRecovery } from '@/lib/domain/passkeys/recovery'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'recoverPasskeys',
  summary: 'Ask for the removal of all your passkeys',
  description:
    'For owners who have lost their passkeys. Needs a sign-in by code in the last 10 minutes. All passkeys are removed after 24 hours, or after 48 when a session ended others or took away a channel in the last day, unless a session of the account or a mailed link cancels the removal with POST /beak/passkey/recover/cancel. The addresses, phone, webhooks and sessions of the account are notified immediately. While a removal is pending, another call returns the same removal.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  tier: 'T1',
  response: z.object({ status: z.literal('pending'), ...Recovery.shape }),
  failures: ['fresh_code_needed', 'no_passkey_registered'],
  attempt: 'passkey.recovery_started',
  handle: (context) => startRecovery(context),
})
