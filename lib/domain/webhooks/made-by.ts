import { Prisma } from '@/lib/db/client'
import type { SessionCaller } from '@/lib/kernel/context'

/**
 * The new value of an endpoint's `sessionId` when this session changes it: the session that made it, or null once another one
 * has changed it. At the first proof of the address only endpoints of the proving session stay.
 */
export function keptSession({ sessionId }: SessionCaller): Prisma.Sql {
  return Prisma.sql`CASE WHEN "sessionId" = ${sessionId} THEN "sessionId" END`
}
