import { describe, expect, it } from 'vitest'
import { withVisibleHeartbeats } from './visible-heartbeats'

function streamOf(messages: string[], onCancel = () => undefined): ReadableStream<Uint8Array> {
  const left = messages.map((message) => new TextEncoder().encode(message))
  return new ReadableStream(
    {
      pull(controller) {
        const next = left.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  )
}

describe('the stream of the pages', () => {
  it('adds an event to each heartbeat, which a script of the page can see, and changes no other message', async () => {
    const messages = ['event: ready\ndata: {}\n\n', ': still here\n\n', 'event: peck\ndata: {"a":": "}\n\n']
    const text = await new Response(withVisibleHeartbeats(streamOf(messages))).text()
    expect(text).toBe([messages[0], messages[1], 'event: still_here\ndata: {}\n\n', messages[2]].join(''))
  })

  it('ends the stream of the service when the browser leaves', async () => {
    let isCancelled = false
    const stream = withVisibleHeartbeats(
      streamOf([': still here\n\n'], () => {
        isCancelled = true
        return undefined
      }),
    )
    await stream.cancel()
    expect(isCancelled).toBe(true)
  })
})
