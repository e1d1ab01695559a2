/** Middleware for Hono. */
import type { Context, MiddlewareHandler } from 'hono'
import { type PermissionRule, permissionGuard, type UsedPermission } from './require-permission'
import { permissionOrResponse } from './web'

export type { GuardTrust, ReceiptTrust } from './guard-trust'
export type { PermissionRule, UsedPermission } from './require-permission'

/**
 * Returns middleware that refuses requests without a permission, and spends one use of it before the handler runs. The handler finds the
 * permission as `context.get('permission')`.
 *
 * @example
 * app.post('/orders', requirePermission({ beak, action: 'place:order', target: 'anyone', params: (context) => context.req.json() }), order)
 */
export function requirePermission(
  rule: PermissionRule<[context: Context]>,
): MiddlewareHandler<{ Variables: { permission: UsedPermission } }> {
  const guard = permissionGuard(rule)
  return async (context, next) => {
    const result = await permissionOrResponse(guard, context.req.raw, context)
    if (result instanceof Response) return result
    context.set('permission', result)
    return next()
  }
}
