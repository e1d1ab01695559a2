import { requestFor } from '@/app/_web/call-api'
import { forOwnPages } from '@/app/_web/own-pages'
import { GET as stream } from '@/app/beak/peck/stream/route'

/** The viewer's pecks as they change: the API's stream, with the session of the cookie. */
export const GET = forOwnPages(async (request) => {
  const answer = await stream(await requestFor('GET', {}, request.signal))
  if (!answer.ok) return new Response(null, { status: answer.status })
  return new Response(answer.body, {
    headers: {
      'Content-Type': 'text/event-stream',
      // Whatever compressed it on the way would hold the events back until it has enough of them.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
})
