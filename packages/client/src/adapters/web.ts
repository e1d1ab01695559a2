/** What the adapters for frameworks with web requests share. */
import { grantHeader, type PermissionGuard, type UsedPermission } from './require-permission'

/** Returns the permission that a request carries, or the answer to send instead. The rule of the guard gets `args`. */
export async function permissionOrResponse<Args extends unknown[]>(
  guard: PermissionGuard<Args>,
  request: Request,
  ...args: Args
): Promise<UsedPermission | Response> {
  const { headers, url } = request
  // A server behind a proxy knows the host of its own address only, and the host that was called from the header.
  const host = headers.get('host') ?? new URL(url).host
  const { permission, problem } = await guard({ token: headers.get(grantHeader), host }, ...args)
  return (
    permission ??
    new Response(JSON.stringify(problem.body), { status: problem.status, headers: problem.headers })
  )
}
