/** Middleware for Express, and for other servers that call listeners with Node's requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { grantHeader, type PermissionRule, permissionGuard, type UsedPermission } from './require-permission'

export type { GuardTrust, ReceiptTrust } from './guard-trust'
export type { PermissionRule, UsedPermission } from './require-permission'

/** A request with what Express, and other servers, add to a request of Node. Their types are not needed to compile a rule. */
export type ServerRequest = IncomingMessage & {
  // biome-ignore lint/suspicious/noExplicitAny: as in the types of Express, and optional, because a request of Node has none
  body?: any
  // biome-ignore lint/suspicious/noExplicitAny: as for the body
  params?: any
  // biome-ignore lint/suspicious/noExplicitAny: as for the body
  query?: any
}

const used = new WeakMap<IncomingMessage, UsedPermission>()

/**
 * Returns middleware that refuses requests without a permission, and spends one use of it before the handler runs. Mount it after the
 * body parser when the rule reads the body.
 *
 * @example
 * app.post('/orders', express.json(), requirePermission({ beak, action: 'place:order', target: 'anyone', params: (request) => request.body }), order)
 */
export function requirePermission<Request extends IncomingMessage = ServerRequest>(
  rule: PermissionRule<[request: Request]>,
): (request: Request, response: ServerResponse, next: (error?: unknown) => void) => Promise<void> {
  const guard = permissionGuard(rule)
  return async (request, response, next) => {
    try {
      const header = request.headers[grantHeader]
      const token = header === undefined ? null : String(header)
      const { permission, problem } = await guard({ token, host: hostOf(request) }, request)
      if (problem !== null) {
        response.writeHead(problem.status, problem.headers)
        response.end(JSON.stringify(problem.body))
        return
      }
      used.set(request, permission)
    } catch (error) {
      next(error)
      return
    }
    next()
  }
}

/** Returns the host that was called. Express has it in `hostname`, also from a proxy that the application trusts. HTTP/2 has no `Host`. */
function hostOf(request: IncomingMessage): string | undefined {
  const { hostname } = request as { hostname?: unknown }
  if (typeof hostname === 'string') return hostname
  const authority = request.headers[':authority']
  return request.headers.host ?? (typeof authority === 'string' ? authority : undefined)
}

/** Returns the permission of a request. Throws `Error` when the middleware did not run before. */
export function permissionOf(request: IncomingMessage): UsedPermission {
  const permission = used.get(request)
  if (permission === undefined)
    throw new Error('This request has no permission: mount requirePermission before.')
  return permission
}
