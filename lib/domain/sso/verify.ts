import { db } from '@/lib/db/client'
import type { AnonymousContext } from '@/lib/kernel/context'
import { hostName } from '@/lib/kernel/host-name'
import { findToken } from './find-token'
import { presentToken, type SsoVerdictInput } from './schema'

/**
 * Whether a token is good, for `domain` where one is named, and whom it speaks for. Does not spend it. Whatever is wrong, the
 * answer is `{ active: false }` and nothing else (RFC 7662, section 2.2).
 */
export async function verifyToken(
  context: AnonymousContext,
  text: string,
  domain: string | undefined,
): Promise<SsoVerdictInput> {
  const token = await findToken(db(), text, context.now)
  if (token === null) return { active: false }
  if (domain !== undefined && hostName(domain) !== token.targetDomain) return { active: false }
  return presentToken(token)
}
