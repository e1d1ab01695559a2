/** Serves the page of the approver on this computer. */
import { createServer } from 'node:http'

/** A name of this computer that no service has: browsers resolve names below `localhost` themselves. */
const hostname = 'approver.localhost'

/** Only programs on this computer reach these addresses. */
const addresses = ['127.0.0.1', '::1']

/**
 * Returns what answers a request. A request for another host is refused: a site whose name leads to this computer could otherwise open the page
 * as its own.
 */
function answerOf(page, port) {
  const headers = {
    'Content-Security-Policy': `${page.policy}; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }
  const host = `${hostname}:${port}`
  const plain = { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }
  return (request, response) => {
    const [path] = (request.url ?? '').split('?')
    if (request.headers.host !== host)
      response.writeHead(421, plain).end(`The approver answers only at http://${host}\n`)
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('Only GET and HEAD.\n')
    else if (path !== '/' && path !== '/index.html') response.writeHead(404, plain).end('Not found.\n')
    else response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }).end(page.html)
  }
}

function listen(server, port, address) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: address, ipv6Only: address === '::1' }, () => resolve(undefined))
  })
}

/**
 * Serves the page until it is closed. A computer without IPv6 serves on IPv4 only.
 *
 * @param {{ html: string, policy: string }} page
 * @param {number} port
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveApprover(page, port) {
  const servers = []
  for (const address of addresses) {
    const server = createServer(answerOf(page, port))
    try {
      await listen(server, port, address)
      servers.push(server)
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') continue
      for (const started of servers) started.close()
      throw code === 'EADDRINUSE'
        ? new Error(`Port ${port} is in use. Choose another one: npm run approver -- --port 4801`)
        : error
    }
  }
  if (servers.length === 0)
    throw new Error('This computer has no address of its own, neither 127.0.0.1 nor ::1.')
  return {
    url: `http://${hostname}:${port}`,
    close: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
