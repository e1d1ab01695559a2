/**
 * The table as one function from `Request` to `Response`. What the table does not know is answered here: unknown paths,
 * wrong methods, preflights. Nothing below `/beak` is ever HTML, and one trailing slash makes no difference.
 */
import { openDatabase } from '@/lib/db/client'
import { type Endpoint, requestIdOf } from '@/lib/http/endpoint'
import { asFailure, baseHeaders, problem } from '@/lib/http/respond'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { fail } from '@/lib/kernel/failures'

export const methods = ['GET', 'POST', 'PUT'] as const
export type Method = (typeof methods)[number]
type RouteModule = Partial<Record<Method, Endpoint>>
/**
 * Path without trailing slash → route module. A path may end in a parameter: `{n}` is one segment, as in
 * `/.well-known/status-list/{n}`; `{path}` is the rest of the path.
 */
export type Table = Record<string, RouteModule>

/** Returns the key of a path in a table, or null when the table does not have the path. */
export function findPath(table: object, pathname: string): string | null {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  if (Object.hasOwn(table, path)) return path
  const parent = `${path.slice(0, path.lastIndexOf('/'))}/{n}`
  if (Object.hasOwn(table, parent)) return parent
  const isPrefix = (key: string) => key.endsWith('/{path}') && path.startsWith(key.slice(0, -'{path}'.length))
  return Object.keys(table).find(isPrefix) ?? null
}

function findRoute(table: Table, pathname: string): RouteModule | null {
  const path = findPath(table, pathname)
  return path === null ? null : (table[path] ?? null)
}

/** Whether a request target is for the API: everything below `/beak`, and elsewhere only what the table has. */
export function isApi(table: Table, target: string): boolean {
  const [path = ''] = target.split('?')
  return /^\/beak(\/|$)/.test(path) || findRoute(table, path) !== null
}

function allowed(route: RouteModule): string {
  const names: string[] = methods.filter((method) => route[method])
  if (route.GET) names.push('HEAD')
  return [...names, 'OPTIONS'].join(', ')
}

function preflight(route: RouteModule, requestId: string): Response {
  const headers = baseHeaders(requestId)
  headers.set('Allow', allowed(route))
  headers.set('Access-Control-Allow-Methods', allowed(route))
  headers.set(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, X-Beak-Key, X-Peck-Grant, X-Request-Id',
  )
  headers.set('Access-Control-Max-Age', '86400')
  return new Response(null, { status: 204, headers })
}

/** Serves a table. Opens the database at the first request where the process has not done so (a bare `next start`). */
export function serve(table: Table): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await answer(table, request)
    if (request.method !== 'HEAD') return response
    // What nobody will read must not go on being made: an event stream would never end.
    void response.body?.cancel()
    return new Response(null, response)
  }
}

async function answer(table: Table, request: Request): Promise<Response> {
  const route = findRoute(table, new URL(request.url).pathname)
  const { method } = request
  if (route === null) {
    const requestId = requestIdOf(request)
    return problem(fail('not_found'), requestId, baseHeaders(requestId))
  }
  if (method === 'OPTIONS') return preflight(route, requestIdOf(request))
  const endpoint = route[(method === 'HEAD' ? 'GET' : method) as Method]
  if (!endpoint) {
    const requestId = requestIdOf(request)
    const headers = baseHeaders(requestId)
    headers.set('Allow', allowed(route))
    return problem(fail('method_not_allowed'), requestId, headers)
  }
  if (!endpoint.definition.withoutDatabase) {
    try {
      await openDatabase()
      await prepareKeys()
    } catch (error) {
      const requestId = requestIdOf(request)
      return problem(asFailure(error, requestId), requestId, baseHeaders(requestId))
    }
  }
  return endpoint(request)
}
