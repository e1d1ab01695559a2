import { db } from '@/lib/db/client'
import { day, secondsAfter } from '@/lib/kernel/clock'

/** Deletes tokens that expired more than a day ago. Their events stay in the audit log. Called by the worker. */
export async function deleteExpiredTokens(now: Date): Promise<void> {
  await db().ssoToken.deleteMany({ where: { expiresAt: { lt: secondsAfter(now, -day) } } })
}
