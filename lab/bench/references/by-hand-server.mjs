/** The headers and the log line of each answer, as Beak has them. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { PORT } from './by-hand-parts.mjs'

const headers = [
  ['Cache-Control', 'no-store'],
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Allow, Deprecation, Sunset, Link, Idempotency-Replayed',
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['RateLimit-Policy', '"anonymous";q=100000000;w=60;burst=100000000'],
  ['RateLimit', '"anonymous";r=99999999;t=1'],
  ['Content-Type', 'application/json'],
].flat()

let lines = ''
setInterval(() => {
  process.stdout.write(lines)
  lines = ''
}, 250).unref()

async function answer(request, response, handle) {
  const started = performance.now()
  const requestId = randomUUID()
  const [path, query] = request.url.split('?')
  const ip = request.socket.remoteAddress
  const about = { ip, userAgent: request.headers['user-agent'] ?? null, requestId }
  const body = await handle(request, path, query, about)
  const status = body === undefined ? 404 : 200
  response.writeHead(status, [
    'X-Request-Id',
    requestId,
    ...headers,
    'Content-Length',
    String(Buffer.byteLength(body ?? '')),
  ])
  response.end(body)
  lines += `${JSON.stringify({
    level: 'info',
    time: new Date(),
    request_id: requestId,
    method: request.method,
    path: request.url,
    status,
    ms: Math.round((performance.now() - started) * 10) / 10,
    ip,
  })}\n`
}

/** Serves with `handle`, which gets a request, its path and query, and what the audit log says about it. It returns the JSON of the answer. */
export function serve(handle) {
  createServer((request, response) => {
    answer(request, response, handle).catch((error) => {
      process.stdout.write(`${error.stack}\n`)
      response.writeHead(500).end()
    })
  }).listen(Number(PORT), 'localhost')
}
