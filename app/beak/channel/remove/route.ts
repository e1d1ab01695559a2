import { z } from 'zod'
import { removeChannel } from '@/lib/domain/channels/channels'
import { channelId } from '@/lib/domain/channels/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'removeChannel',
  summary: 'Remove a channel',
  description:
    'A channel that another session added needs a recent proof of you. `CHAN-MAIL` switches mails about requests off.',
  remarks: [
    'Removing `CHAN-MAIL` sets `channels.mail.requests` of the notifications to `none`, and adding `mail` sets it to `all`.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ channel_id: channelId }),
  response: z.object({ success: z.literal(true), channel_id: z.string() }),
  failures: ['channel_not_found', 'fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'channel.removed',
  handle: (context, { body }) => removeChannel(context, body.channel_id),
})
