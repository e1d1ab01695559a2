import { db } from '@/lib/db/client'

/** Returns whether a session is still valid. For streams and long polls, which continue after authentication. */
export async function isSessionLive(sessionId: string, now: Date): Promise<boolean> {
  const found = await db().session.findFirst({
    where: { id: sessionId, revokedAt: null, expiresAt: { gt: now }, duckling: { deletedAt: null } },
    select: { id: true },
  })
  return found !== null
}
