/** Middleware for Hono. */
import type { Context, MiddlewareHandler } from 'hono'
import type { PermissionRule, UsedPermission } from './require-permission'
import { permissionOrResponse } from './web'

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
  return async (context, next) => {
    const result = await permissionOrResponse(rule, context.req.raw.headers, context)
    if (result instanceof Response) return result
    context.set('permission', result)
    return next()
  }
}
