/** Adds an event to each heartbeat, because a script cannot see the comments of a stream. The stream sends each message in one piece. */
export function withVisibleHeartbeats(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        if (value[0] === commentStart) controller.enqueue(stillHere)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const commentStart = ':'.charCodeAt(0)
const stillHere = new TextEncoder().encode('event: still_here\ndata: {}\n\n')
