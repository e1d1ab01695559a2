import { db } from '@/lib/db/client'

/** Whether a session still counts: for what outlives the request that it began with. */
export async function isSessionLive(sessionId: string, now: Date): Promise<boolean> {
  const found = await db().session.findFirst({
    where: { id: sessionId, revokedAt: null, expiresAt: { gt: now }, duckling: { deletedAt: null } },
    select: { id: true },
  })
  return found !== null
}
