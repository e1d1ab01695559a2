import { z } from 'zod'
import { listChannels } from '@/lib/domain/channels/channels'
import { ChannelAnswer } from '@/lib/domain/channels/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'listChannels',
  summary: 'List your channels',
  description:
    'At most 20, and mail as `CHAN-MAIL` unless it is off. `failing_since`: since when every message failed.',
  remarks: [
    'Oldest first. `hint` is the host of the address, and nothing shows the rest of the address again. `announces` has the risks of the requests that the channel announces.',
  ],
  auth: 'session',
  limit: 'authenticated',
  response: z.object({ items: z.array(ChannelAnswer) }),
  handle: (context) => listChannels(context),
})
