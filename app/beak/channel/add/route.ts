import { addChannel } from '@/lib/domain/channels/channels'
import { AddedChannel, NewChannel } from '@/lib/domain/channels/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'addChannel',
  summary: 'Get your requests on one more channel',
  description:
    '`push` takes the `subscription` of a browser, `ntfy`, `chat` and `webhook` take a `url`, and `mail` switches mails about requests on again. Only requests of askers that you know are announced. Messages name the amount or the target of a request unless `details` is false. A target that you have added already is the same channel. It needs a recent proof of you.',
  remarks: [
    'A new channel announces all risks. `subscription` is what `PushSubscription.toJSON()` returns. The answer for a webhook has its `secret`, once.',
    'Addresses are checked like the addresses of webhooks, when a channel is added and at each message: `https`, port 443 or 8443, no private address, no redirect. Hosts that the operator names (`CHANNEL_HOSTS`) may be private, without TLS and at any port. Link-local and metadata addresses are never called, and answers are not shown.',
    'Telegram needs `https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>`, Matrix `https://<server>/_matrix/client/v3/rooms/<room>/send/m.room.message?access_token=<token>`.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: NewChannel,
  response: AddedChannel,
  failures: ['too_many_channels'],
  attempt: 'channel.added',
  handle: (context, { body }) => addChannel(context, body),
})
