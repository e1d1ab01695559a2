/** Route handlers of Next, and of other frameworks that take a `Request` and return a `Response`. */
import { type PermissionRule, permissionGuard, type UsedPermission } from './require-permission'
import { permissionOrResponse } from './web'

export type { GuardTrust, ReceiptTrust } from './guard-trust'
export type { PermissionRule, UsedPermission } from './require-permission'

/**
 * Returns a route handler that refuses requests without a permission, and spends one use of it before `handler` runs. The functions of
 * the rule get a copy of the request, so the handler can read the body again.
 *
 * @example
 * export const POST = requirePermission(
 *   { beak, action: 'place:order', target: 'anyone', params: (request) => request.json() },
 *   async (request, context, permission) => Response.json(await order(permission.params)),
 * )
 */
export function requirePermission<Incoming extends Request, RouteContext>(
  rule: PermissionRule<[request: Request, context: RouteContext]>,
  handler: (
    request: Incoming,
    context: RouteContext,
    permission: UsedPermission,
  ) => Response | Promise<Response>,
): (request: Incoming, context: RouteContext) => Promise<Response> {
  // A body can be read once, so each function gets a copy.
  const withCopy =
    <Result>(read: (request: Request, context: RouteContext) => Result) =>
    (request: Request, context: RouteContext): Result =>
      read(request.clone(), context)
  const { action, params, target } = rule
  const guard = permissionGuard({
    ...rule,
    action: typeof action === 'function' ? withCopy(action) : action,
    params: withCopy(params),
    target: typeof target === 'function' ? withCopy(target) : target,
  })
  return async (request, context) => {
    const result = await permissionOrResponse(guard, request, request, context)
    return result instanceof Response ? result : handler(request, context, result)
  }
}
