import { addChannel } from '@/lib/domain/channels/add'
import { AddedChannel, NewChannel } from '@/lib/domain/channels/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'addChannel',
  summary: 'Get your requests on one more channel',
  description:
    '`push` takes the `subscription` of a browser, `ntfy`, `chat` and `webhook` take a `url`, and `mail` switches mails about requests on again. Only requests of askers that you know are announced. Messages name the amount or the target of a request unless `details` is false. A target that you have added already is the same channel. It needs a recent proof of you.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: NewChannel,
  response: AddedChannel,
  failures: ['too_many_channels'],
  attempt: 'channel.added',
  handle: (context, { body }) => addChannel(context, body),
})
