import { Prisma } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'

/**
 * Returns the assignments for an endpoint that this session changes. `sessionId` becomes null unless this session created the endpoint:
 * when the email address is verified for the first time, only endpoints of the verifying session are kept. The undo of a change of
 * address reads who changed the endpoint last, and when.
 */
export function changedNow({ caller: { sessionId }, now }: DucklingContext): Prisma.Sql {
  return Prisma.sql`"sessionId" = CASE WHEN "sessionId" = ${sessionId} THEN "sessionId" END,
    "changedAt" = ${now}::timestamptz, "changedBySession" = ${sessionId}`
}
