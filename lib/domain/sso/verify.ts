import type { AnonymousContext } from '@/lib/kernel/context'
import { hostName } from '@/lib/kernel/host-name'
import { findValidToken } from './find-valid-token'
import { presentToken, type SsoVerdictInput } from './schema'

/**
 * Returns the owner of a valid SSO token. With `domain` the token must be for that domain. Does not spend the token. For every
 * invalid token the result is only `{ active: false }` (RFC 7662, section 2.2).
 */
export async function verifyToken(
  context: AnonymousContext,
  text: string,
  domain: string | undefined,
): Promise<SsoVerdictInput> {
  const token = await findValidToken(text, context.now)
  if (token === null) return { active: false }
  if (domain !== undefined && hostName(domain) !== token.targetDomain) return { active: false }
  return presentToken(token)
}
