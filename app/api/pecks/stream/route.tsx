import { send } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/download'
import { withVisibleHeartbeats } from './visible-heartbeats'

/** Streams the changes of the viewer's pecks: the stream of the API, with the session in the cookie. */
export const GET = sameOriginRoute(async (request) => {
  const { status, body } = await send('GET /beak/peck/stream', {}, request.signal)
  if (status !== 200) return new Response(null, { status })
  return new Response(withVisibleHeartbeats(body as ReadableStream<Uint8Array>), {
    headers: {
      'Content-Type': 'text/event-stream',
      // A compressing proxy would hold the events back until its buffer is full.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
})
