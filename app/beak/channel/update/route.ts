import { updateChannel } from '@/lib/domain/channels/channels'
import { ChannelAnswer, ChannelChange } from '@/lib/domain/channels/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateChannel',
  summary: 'Change the name of a channel, which requests it announces, or its details',
  description:
    'What is not given does not change. For `CHAN-MAIL`, `announces` has the risks that are mailed although another channel announces them. With `details`, everybody who reads the channel sees the amount or the target of requests.',
  remarks: ['`CHAN-MAIL` has no `name` to change: the answer is 400.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ChannelChange,
  response: ChannelAnswer,
  failures: ['channel_not_found'],
  attempt: 'channel.updated',
  handle: (context, { body }) => updateChannel(context, body),
})
