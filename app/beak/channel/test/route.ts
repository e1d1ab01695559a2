import { z } from 'zod'
import { testChannel } from '@/lib/domain/channels/outcome'
import { ChannelTest, channelId } from '@/lib/domain/channels/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'testChannel',
  summary: 'Send a test message to a channel',
  description:
    'Waits at most 10 seconds for the answer and says what came back, in words too. A browser whose subscription has ended is removed. `CHAN-MAIL` has no test. At most five tests at once, and five a minute more.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ channel_id: channelId }),
  response: ChannelTest,
  failures: ['channel_not_found', 'rate_limited'],
  attempt: 'channel.tested',
  handle: (context, { body }) => testChannel(context, body.channel_id),
})
