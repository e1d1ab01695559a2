/** What the adapters for frameworks with web requests share. */
import { checkPermission, grantHeader, type PermissionRule, type UsedPermission } from './require-permission'

/** Returns the permission that a request carries, or the answer to send instead. The rule gets `args`. */
export async function permissionOrResponse<Args extends unknown[]>(
  rule: PermissionRule<Args>,
  headers: Headers,
  ...args: Args
): Promise<UsedPermission | Response> {
  const { permission, problem } = await checkPermission(rule, headers.get(grantHeader), ...args)
  return (
    permission ??
    new Response(JSON.stringify(problem.body), { status: problem.status, headers: problem.headers })
  )
}
