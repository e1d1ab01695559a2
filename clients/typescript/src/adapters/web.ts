/** What the adapters for frameworks with web requests share. */
import { grantHeader, type PermissionGuard, type UsedPermission } from './require-permission'

/** Returns the permission that a request carries, or the answer to send instead. The rule of the guard gets `args`. */
export async function permissionOrResponse<Args extends unknown[]>(
  guard: PermissionGuard<Args>,
  headers: Headers,
  ...args: Args
): Promise<UsedPermission | Response> {
  const { permission, problem } = await guard(headers.get(grantHeader), ...args)
  return (
    permission ??
    new Response(JSON.stringify(problem.body), { status: problem.status, headers: problem.headers })
  )
}
