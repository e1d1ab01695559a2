/**
 * Answers calls with the route table, including unknown paths, wrong methods and preflights. Every answer below `/beak` is JSON.
 * A path with one trailing slash gets the same answer as without.
 */
import { isDatabaseOpen, openDatabase } from '@/lib/db/client'
import { baseHeaders, problem, toFailure } from '@/lib/http/answer'
import { type Answer, type Call, requestIdOf } from '@/lib/http/call'
import type { Endpoint } from '@/lib/http/endpoint'
import { wantsJson } from '@/lib/http/language'
import { areKeysLoaded, prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { type Failure, fail } from '@/lib/kernel/request/failures'
import { observer } from '@/lib/kernel/runtime/observer'

export const methods = ['GET', 'POST', 'PUT'] as const
export type Method = (typeof methods)[number]
type RouteModule = Partial<Record<Method, Endpoint>>
/**
 * Maps a path without trailing slash to its route module. A path may end in a parameter: `{n}` is one segment, as in
 * `/.well-known/status-list/{n}`, and `{path}` is the rest of the path.
 */
export type Table = Record<string, RouteModule>

const probes = new Set(['/healthz', '/readyz'])

interface FoundPath {
  /** The key in the table. */
  key: string
  /** The value of the parameter. Empty for a path without one. */
  parameter: string
}

/** Returns the entry of a path in a table, or null when the table does not have the path. */
export function findPath(table: object, pathname: string): FoundPath | null {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  if (Object.hasOwn(table, path)) return { key: path, parameter: '' }
  const last = path.lastIndexOf('/')
  const parent = `${path.slice(0, last)}/{n}`
  if (Object.hasOwn(table, parent)) return { key: parent, parameter: path.slice(last + 1) }
  const isPrefix = (key: string) => key.endsWith('/{path}') && path.startsWith(key.slice(0, -'{path}'.length))
  const key = Object.keys(table).find(isPrefix)
  return key === undefined ? null : { key, parameter: path.slice(key.length - '{path}'.length) }
}

/** Returns the part of a table that a process answers without the API: the probes. */
export function probesOf(table: Table): Table {
  return Object.fromEntries(Object.entries(table).filter(([path]) => probes.has(path)))
}

/** Whether a request target belongs to the API: every path below `/beak`, and the other paths of the table. */
export function isApi(table: Table, target: string): boolean {
  return /^\/beak(?:[/?]|$)/.test(target) || findPath(table, target.split('?', 1)[0] ?? '') !== null
}

/** Well-known files and what is below the MCP server. `security.txt` is a page. */
const programPath = /^\/(?:mcp\/[^?]|\.well-known\/(?!security\.txt\/?(?:\?|$)))/
/** Where MCP clients try to sign in with OAuth after a server has refused their key (MCP, Authorization). */
const oauthPath = /^(?:\/mcp)?\/(?:register|token)\/?(?:\?|$)/

/** Whether a request tries to sign in with OAuth. There is no page for it: `GET /register` is an unknown page. */
export function isOAuth(method: string | undefined, target: string): boolean {
  return method === 'POST' && oauthPath.test(target)
}

/**
 * Whether a program left out `/beak` before a path of the API. Only programs send or demand JSON, so a page of the same path stays.
 */
export function lacksPrefix(
  table: Table,
  target: string,
  headers: { accept?: string | undefined; 'content-type'?: string | undefined },
): boolean {
  const [path = ''] = target.split('?', 1)
  const isProgram =
    wantsJson(headers.accept ?? '') || /^application\/json\b/i.test(headers['content-type'] ?? '')
  return isProgram && path !== '/' && findPath(table, `/beak${path}`) !== null
}

function pathNotFound(table: Table, path: string): Failure {
  if (findPath(table, `/beak${path}`) === null) return fail('path_not_found')
  const { basePath } = config()
  return fail('path_not_found', {
    action: m.failure_path_not_found_without_beak_action({ path: `${basePath}/beak${path}` }),
  })
}

/** Whether only programs send a request. They get JSON, even when the path is unknown: they would show the source of a page as an error. */
export function isForPrograms(table: Table, method: string | undefined, target: string): boolean {
  return isApi(table, target) || programPath.test(target) || isOAuth(method, target)
}

/** Returns a function that answers calls with the table. It opens the database on the first call that needs it. */
export function serve(table: Table): (call: Call) => Promise<Answer> {
  return (call) => (call.method === 'HEAD' ? answerHead(table, call) : route(table, call))
}

async function answerHead(table: Table, call: Call): Promise<Answer> {
  const answer = await route(table, call)
  // An event stream that is never read would never end.
  if (answer.body instanceof ReadableStream) void answer.body.cancel()
  return { ...answer, body: null }
}

/** Not async, because each promise of a call costs time: see "What the profiles show" in lab/bench/RESULTS.md. */
function route(table: Table, call: Call): Promise<Answer> {
  const found = findPath(table, call.path)
  const module = found === null ? undefined : table[found.key]
  if (found === null || module === undefined)
    return Promise.resolve(
      isOAuth(call.method, call.path) ? refuseOAuth(call) : refuse(call, pathNotFound(table, call.path)),
    )
  if (call.method === 'OPTIONS') return Promise.resolve(preflight(module, call))
  const endpoint = module[(call.method === 'HEAD' ? 'GET' : call.method) as Method]
  if (!endpoint) return Promise.resolve(refuse(call, fail('method_not_allowed'), { Allow: allowed(module) }))
  if (endpoint.definition.withoutDatabase || (isDatabaseOpen() && areKeysLoaded()))
    return endpoint.answer(call, found.parameter)
  return openDatabase()
    .then(prepareKeys)
    .then(
      () => endpoint.answer(call, found.parameter),
      (error: unknown) => refuse(call, error),
    )
}

function refuse(call: Call, error: unknown, extra: Answer['headers'] = {}): Answer {
  const started = performance.now()
  const requestId = requestIdOf(call.headers)
  const answer = problem(toFailure(error, requestId), requestId, Object.assign(baseHeaders(requestId), extra))
  // One name for all of them, because a stranger may make up any number of paths.
  observer()?.call({ operationId: 'none' }, answer.status, performance.now() - started)
  return answer
}

/**
 * Answers an attempt to sign in with OAuth with an error of OAuth (RFC 6749, section 5.2), which MCP clients show. They try it when their key
 * is wrong or has expired.
 */
function refuseOAuth(call: Call): Answer {
  const requestId = requestIdOf(call.headers)
  const body = { error: 'access_denied', error_description: m.failure_key_refused_error() }
  return {
    status: 400,
    headers: { ...baseHeaders(requestId), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
}

function allowed(module: RouteModule): string {
  const names: string[] = methods.filter((method) => module[method])
  if (module.GET) names.push('HEAD')
  return [...names, 'OPTIONS'].join(', ')
}

function preflight(module: RouteModule, call: Call): Answer {
  return {
    status: 204,
    headers: {
      ...baseHeaders(requestIdOf(call.headers)),
      Allow: allowed(module),
      'Access-Control-Allow-Methods': allowed(module),
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, X-Beak-Key, X-Peck-Grant, X-Request-Id',
      'Access-Control-Max-Age': '86400',
    },
    body: null,
  }
}
