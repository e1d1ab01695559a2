import type { Server, ServerResponse } from 'node:http'

const idleCheckMs = 50

/**
 * Returns a function that ends a server and resolves when its last connection is closed. Requests that have begun may finish, for `waitMs` at
 * most. Event streams end at once, because their clients connect again by themselves.
 */
export function drainable(server: Server, waitMs = 5_000): () => Promise<void> {
  const streams = new Set<ServerResponse>()
  server.on('request', (request, response) => {
    if (!request.headers.accept?.includes('text/event-stream')) return
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  return () =>
    new Promise((resolve) => {
      // A connection that is kept alive becomes idle after its answer.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
      const end = setTimeout(() => server.closeAllConnections(), waitMs)
      server.close(() => {
        clearInterval(idle)
        clearTimeout(end)
        resolve()
      })
      for (const response of streams) response.destroy()
    })
}
