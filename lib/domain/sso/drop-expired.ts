import { db } from '@/lib/db/client'
import { day, secondsAfter } from '@/lib/kernel/clock'

/** Removes tokens that expired more than a day ago; the audit log keeps what was done with them. */
export async function dropExpiredTokens(now: Date): Promise<void> {
  await db().ssoToken.deleteMany({ where: { expiresAt: { lt: secondsAfter(now, -day) } } })
}
