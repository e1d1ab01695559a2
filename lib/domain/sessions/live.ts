import { db } from '@/lib/db/client'

/**
 * Returns when a session will expire, or null when it is no longer valid. For streams and long polls, which continue after
 * authentication. The end of a session signals its id.
 */
export async function sessionExpiry(sessionId: string, now: Date): Promise<Date | null> {
  const found = await db().session.findFirst({
    where: {
      id: sessionId,
      revokedAt: null,
      expiresAt: { gt: now },
      duckling: { deletedAt: null, suspendedAt: null },
    },
    select: { expiresAt: true },
  })
  return found?.expiresAt ?? null
}
