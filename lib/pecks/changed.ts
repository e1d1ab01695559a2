import { db, Prisma } from '@/lib/db/client'
import { type PeckRow, readPecks } from './rows'

const eventsMax = 200

/** Where a duckling's audit chain ends now; 0 before its first event. */
export async function endOfChain(ducklingId: string): Promise<number> {
  const chain = await db().auditChain.findUnique({ where: { ducklingId }, select: { seq: true } })
  return chain?.seq ?? 0
}

/**
 * The pecks that changed for a duckling after that place in its audit chain, oldest change first, and the place reached. The
 * chain has an entry for each change of each peck the duckling may know of, written with it by whichever instance, and in
 * order: nothing is missed and nothing that is hidden from it shows.
 */
export async function changedPecks(
  ducklingId: string,
  after: number,
): Promise<{ pecks: PeckRow[]; reached: number }> {
  const events = await db().$queryRaw<{ seq: number; peckId: string | null }[]>`
    SELECT "seq", CASE WHEN "action" LIKE 'peck.%' AND "outcome" = 'success'
      THEN jsonb_path_query_first("targets", '$[*] ? (@.type == "peck").id') #>> '{}' END AS "peckId"
    FROM "AuditEvent" WHERE "ducklingId" = ${ducklingId} AND "seq" > ${after}::int ORDER BY "seq" LIMIT ${eventsMax}`
  const reached = events.at(-1)?.seq ?? after
  const ids = [...new Set(events.flatMap(({ peckId }) => (peckId === null ? [] : [peckId])))]
  if (ids.length === 0) return { pecks: [], reached }
  const rows = await readPecks(db(), Prisma.sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  return { pecks: rows.sort((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id)), reached }
}
