import { Prisma } from '@/lib/db/client'
import type { SessionCaller } from '@/lib/kernel/context'

/**
 * Returns the new `sessionId` of an endpoint that this session changes: unchanged when this session created the endpoint, else
 * null. When the email address is verified for the first time, only endpoints of the verifying session are kept.
 */
export function creatingSession({ sessionId }: SessionCaller): Prisma.Sql {
  return Prisma.sql`CASE WHEN "sessionId" = ${sessionId} THEN "sessionId" END`
}
