/**
 * The port of the metrics (contract E, Metrics for the host). It is not the port of the service: nothing of the API answers here, and nobody reaches
 * the metrics through the service.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Config, isLoopback } from '@/lib/kernel/config'
import { cached } from '@/lib/kernel/runtime/cached'
import { readClock } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { StartProblem } from '@/lib/kernel/service/start-problem'

/** A text may be this old, so that scraping again and again costs nothing. */
const cacheSeconds = 1
const timeouts = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 }
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  more: Record<string, string> = {},
): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { ...headers, 'Content-Type': contentType, 'Content-Length': length, ...more })
  response.end(body)
}

const urlOf = (host: string) => `http://${host.includes(':') ? `[${host}]` : host}`

/**
 * Whether the request names this machine. On a loopback address, a page in a browser of this machine could otherwise read the metrics under a
 * name of its own that leads here (DNS rebinding).
 */
function namesThisMachine(request: IncomingMessage, host: string): boolean {
  const named = `http://${request.headers.host ?? ''}`
  return !isLoopback(urlOf(host)) || (URL.canParse(named) && isLoopback(named))
}

/** Serves `read` at /metrics. Throws `StartProblem` when the port cannot be opened. */
export async function serveMetrics(
  { host, port }: NonNullable<Config['metrics']>,
  read: () => Promise<string>,
): Promise<Server> {
  const server = createServer(timeouts, (request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    if (!namesThisMachine(request, host)) return answer(response, 403, 'Use the address of METRICS_HOST.\n')
    if (path !== '/metrics') return answer(response, 404, 'The metrics are at /metrics.\n')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, 'Use GET.\n', { Allow: 'GET, HEAD' })
    cached('metrics.text', cacheSeconds, readClock(), read).then(
      (text) => answer(response, 200, text),
      (error: unknown) => {
        log().warn({ error: describeError(error) }, 'metrics not read')
        answer(response, 503, 'The metrics cannot be read now. The log says why.\n')
      },
    )
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, host, resolve),
  ).catch((error: NodeJS.ErrnoException) => {
    throw new StartProblem(reasonOf(error, host, port))
  })
  return server
}

function reasonOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the program that uses it, or choose another port with METRICS_PORT.`
  if (code === 'EADDRNOTAVAIL')
    return `METRICS_HOST: this machine has no address ${host}. Name one that it has, or unset METRICS_HOST for the loopback address.`
  return `The port of the metrics cannot be opened: ${message}. Change METRICS_PORT or METRICS_HOST.`
}
