/**
 * A server that answers with every fault a client can meet. The tests of all clients use it.
 *
 *     node packages/contract/faults/server.mjs [address of a service]
 *
 * It prints its address when it is ready, and ends with its standard input. Give a client this address as the address of the service:
 *
 *     <address>/<fault>/<times>/<run>
 *
 * `times`: how many requests of this run meet the fault, or `always`. The requests after them succeed.
 * `run`: any word. Each run has its own count.
 * `GET <address>/requests/<run>` returns the requests of a run: `{items: [{method, path, headers, body, at, faulty}]}`, `at` in milliseconds.
 *
 * A request that succeeds is passed on to the service. Without a service, its answer says what arrived: `{method, path, body}`.
 *
 * | fault             | what happens                                                                                        |
 * | ----------------- | --------------------------------------------------------------------------------------------------- |
 * | `none`            | every request succeeds                                                                              |
 * | `error-<code>`    | the problem document of this code, for instance `error-E4002`; with `Retry-After: 1` for 429 and 503 |
 * | `running`         | 409 `E4008` with `Retry-After: 1`: a request with the same idempotency key is still running         |
 * | `wait-long`       | 429 `E4004` with `Retry-After: 3600`                                                                |
 * | `cut`             | the connection closes before an answer                                                              |
 * | `cut-after`       | the service carries the request out, then the connection closes before an answer                    |
 * | `cut-poll`        | the connection of a long poll closes after a moment; all other requests succeed                     |
 * | `cut-stream`      | an event stream closes after its first event; all other requests succeed                            |
 * | `truncated`       | 200, but the connection closes in the middle of the body                                            |
 * | `silent`          | no answer, and the connection stays open                                                            |
 * | `dripping`        | 200 and one byte of the body, then nothing                                                          |
 * | `delay-<ms>`      | the request succeeds after that many milliseconds                                                   |
 * | `broken-json`     | 200 with JSON that ends too early                                                                   |
 * | `list`            | 200 with a JSON list instead of an object                                                           |
 * | `empty`           | 200 with an empty body                                                                              |
 * | `html`            | 200 with a page instead of JSON                                                                     |
 * | `html-error`      | 500 with a page instead of a problem document                                                       |
 * | `bad-gateway`     | 502 with a page, as a proxy before a stopped service answers                                        |
 * | `strange-problem` | 418 with a problem document that has no code                                                        |
 * | `redirect`        | 302 to `<address>/stolen`, which is recorded as a request of the run `stolen`                       |
 */
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const service = process.argv[2]

/** Status of each code. */
const statuses = {
  E4000: 400,
  E4001: 401,
  E4002: 403,
  E4003: 409,
  E4004: 429,
  E4005: 404,
  E4006: 401,
  E4007: 403,
  E4008: 409,
  E4009: 403,
  E4010: 405,
  E4011: 413,
  E4012: 415,
  E4013: 422,
  E5001: 500,
  E5002: 503,
}

/** One reason of each code. */
const reasons = {
  E4000: 'invalid_request',
  E4001: 'beak_key_invalid',
  E4002: 'tier_too_low',
  E4003: 'identity_exists',
  E4004: 'rate_limited',
  E4005: 'path_not_found',
  E4006: 'session_invalid',
  E4007: 'agent_not_allowed',
  E4008: 'peck_not_pending',
  E4009: 'fresh_sign_in_needed',
  E4010: 'method_not_allowed',
  E4011: 'body_too_large',
  E4012: 'unsupported_media_type',
  E4013: 'idempotency_key_reused',
  E5001: 'internal_error',
  E5002: 'unavailable',
}

/** Members that a problem document has besides the usual ones. */
const extras = {
  E4000: { errors: [{ field: 'email', message: 'must be an email address' }] },
  E4002: { required_tier: 'T1', current_tier: 'T0' },
  E4004: { retry_after: 1 },
  E4008: { current_status: 'consumed' },
  E4009: { required: 'passkey' },
  E5002: { retry_after: 1 },
}

/** Headers of requests that tests look at. */
const keptHeaders = [
  'authorization',
  'x-beak-key',
  'idempotency-key',
  'content-type',
  'user-agent',
  'x-peck-grant',
]

/** Run → its requests. */
const runs = new Map()

function record(run, request) {
  runs.set(run, [...(runs.get(run) ?? []), request])
}

async function readBody(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function sendJson(response, status, value, headers = {}) {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, { 'Content-Type': type, ...headers }).end(JSON.stringify(value))
}

function sendProblem(response, code, extra = extras[code] ?? {}) {
  const status = statuses[code]
  const detail = `This is the fault ${code}.`
  const problem = {
    type: `http://localhost/docs/errors#${code}`,
    title: 'A fault for tests',
    status,
    detail,
    code,
    reason: reasons[code],
    message: detail,
    success: false,
    request_id: `fault-${code}`,
    action: 'Nothing: this is a test.',
    ...extra,
  }
  const wait = problem.retry_after === undefined ? {} : { 'Retry-After': String(problem.retry_after) }
  sendJson(response, status, problem, wait)
}

const sendPage = (response, status) =>
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A page</title>')

/** Sends a request to the service. */
function forward({ method, path, headers, body }, signal) {
  const { host: _, connection: __, 'content-length': ___, ...rest } = headers
  return fetch(`${service}${path}`, { method, headers: rest, signal, body: body === '' ? null : body })
}

/** Answers as the service does. Ends the request to the service when the client disconnects. */
async function pass(call, response) {
  const { method, path, body } = call
  if (!service) return sendJson(response, 200, { method, path, body })
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const answer = await forward(call, gone.signal)
    const kept = ['content-type', 'retry-after', 'x-request-id', 'idempotency-replayed']
    const names = kept.filter((name) => answer.headers.has(name))
    response.writeHead(
      answer.status,
      Object.fromEntries(names.map((name) => [name, answer.headers.get(name)])),
    )
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  } catch {
    response.destroy()
  }
}

/** Fault → how a request meets it. Every other request is passed on. */
const faults = {
  none: pass,
  running: (_, response) => sendProblem(response, 'E4008', { retry_after: 1 }),
  'wait-long': (_, response) => sendProblem(response, 'E4004', { retry_after: 3600 }),
  cut: (_, response) => response.destroy(),
  'cut-after': async (call, response) => {
    if (service) await (await forward(call)).arrayBuffer()
    response.destroy()
  },
  'cut-poll': async (_, response) => {
    await wait(100)
    response.destroy()
  },
  'cut-stream': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write('event: ready\ndata: {}\n\n', () => response.destroy())
  },
  truncated: (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    response.write('{"success":true,', () => response.destroy())
  },
  silent: () => undefined,
  dripping: (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
  },
  'broken-json': (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":tr'),
  list: (_, response) => sendJson(response, 200, []),
  empty: (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(),
  html: (_, response) => sendPage(response, 200),
  'html-error': (_, response) => sendPage(response, 500),
  'bad-gateway': (_, response) => sendPage(response, 502),
  'strange-problem': (_, response) => sendJson(response, 418, { title: 'I am a teapot' }),
  redirect: (_, response) => response.writeHead(302, { Location: `${address()}/stolen` }).end(),
}

/** Faults that only some requests can meet. The others do not count. */
const conditions = {
  'cut-poll': ({ path }) => /[?&]wait=[1-9]/.test(path),
  'cut-stream': ({ headers }) => headers.accept === 'text/event-stream',
}

/** Returns how requests meet a fault, or null for an unknown one. */
function faultOf(name) {
  const [, kind, value] = /^(error|delay)-(\w+)$/.exec(name) ?? []
  if (kind === 'error' && value in statuses) return (_, response) => sendProblem(response, value)
  if (kind === 'delay') return (call, response) => wait(Number(value)).then(() => pass(call, response))
  return faults[name] ?? null
}

async function answer(request, response) {
  response.on('error', () => undefined)
  const { method = 'GET', url = '/', headers } = request
  const body = await readBody(request)
  const [, name = '', times = '', run = ''] = url.split('/')
  if (name === 'requests') return sendJson(response, 200, { items: runs.get(times) ?? [] })
  const fault = faultOf(name)
  const call = { method, path: `/${url.split('/').slice(4).join('/')}`, headers, body }
  const met = (runs.get(run) ?? []).filter((one) => one.faulty).length
  const faulty =
    fault !== null && (times === 'always' || met < Number(times)) && (conditions[name]?.(call) ?? true)
  const kept = Object.fromEntries(
    keptHeaders.filter((key) => key in headers).map((key) => [key, headers[key]]),
  )
  record(fault === null ? name : run, { ...call, headers: kept, at: performance.now(), faulty })
  if (fault === null) return sendJson(response, 404, { title: `There is no fault ${name}` })
  return faulty ? fault(call, response) : pass(call, response)
}

const server = createServer(
  (request, response) => void answer(request, response).catch(() => response.destroy()),
)
const address = () => `http://127.0.0.1:${server.address().port}`
server.listen(0, '127.0.0.1', () => process.stdout.write(`${address()}\n`))
process.stdin.resume().on('end', () => process.exit())
