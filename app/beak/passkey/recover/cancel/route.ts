import { z } from 'zod'
import { linkToken } from '@/lib/domain/identity/schema'
import { cancelRecovery } from '@/lib/domain/passkeys/recovery'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'cancelPasskeyRecovery',
  summary: 'Cancel the removal of your passkeys',
  description:
    'Call it with any session of the account and an empty body, or without a session and with the `token` of the link that was mailed when the removal started.',
  auth: 'optional',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ token: linkToken.optional() }),
  response: z.object({ success: z.literal(true) }),
  failures: ['agent_not_allowed', 'link_invalid', 'recovery_not_pending'],
  attempt: 'passkey.recovery_cancelled',
  handle: (context, { body }) => cancelRecovery(context, body.token),
})
