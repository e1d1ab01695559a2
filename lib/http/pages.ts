/** Loads Next and returns the listener of the pages. A process without pages never calls this, so it never loads Next. */
import { createServer, type RequestListener } from 'node:http'

export async function preparePages(isDevelopment: boolean, port: number): Promise<RequestListener> {
  const { default: next } = await import('next')
  const pages = next({
    dev: isDevelopment,
    dir: process.cwd(),
    port,
    hostname: 'localhost',
    // Next listens for `upgrade` events on the server that it is given. With such a listener, Node passes every request that offers
    // an upgrade (some clients offer HTTP/2 by default) to the listener. Only development needs that, so Next gets a server that never listens.
    ...(isDevelopment ? {} : { httpServer: createServer() }),
  })
  await pages.prepare()
  return pages.getRequestHandler()
}
