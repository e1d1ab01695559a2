import { db, Prisma } from '@/lib/db/client'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import type { EventKind } from '@/lib/infrastructure/events/kinds'

const eventsMax = 200

/** What became of a removal of all passkeys, for every session to see. */
export interface RecoveryChange {
  status: 'pending' | 'cancelled' | 'done'
  removes_at: string
}

const recoveryStatus: Partial<Record<EventKind, RecoveryChange['status']>> = {
  'passkey.recovery_started': 'pending',
  'passkey.recovery_cancelled': 'cancelled',
  'passkey.recovered': 'done',
}

interface ChangeEvent {
  seq: number
  action: EventKind
  peckId: string | null
  removesAt: string | null
}

function recoveriesIn(events: ChangeEvent[]): RecoveryChange[] {
  return events.flatMap(({ action, removesAt }) => {
    const status = recoveryStatus[action]
    return status === undefined || removesAt === null ? [] : [{ status, removes_at: removesAt }]
  })
}

/** Where a duckling's audit chain ends now; 0 before its first event. */
export async function endOfChain(ducklingId: string): Promise<number> {
  const chain = await db().auditChain.findUnique({ where: { ducklingId }, select: { seq: true } })
  return chain?.seq ?? 0
}

/**
 * The pecks that changed for a duckling after that place in its audit chain, oldest change first, and the place reached. The
 * chain has an entry for each change of each peck the duckling may know of, written with it by whichever instance, and in
 * order: nothing is missed and nothing that is hidden from it shows. The same events tell of removals of all passkeys.
 */
export async function changedPecks(
  ducklingId: string,
  after: number,
): Promise<{ pecks: PeckRow[]; recoveries: RecoveryChange[]; reached: number }> {
  const events = await db().$queryRaw<ChangeEvent[]>`
    SELECT "seq", "action", CASE WHEN "action" LIKE 'peck.%' AND "outcome" = 'success'
      THEN jsonb_path_query_first("targets", '$[*] ? (@.type == "peck").id') #>> '{}' END AS "peckId",
      CASE WHEN "action" LIKE 'passkey.recover%' AND "outcome" = 'success' THEN "metadata" ->> 'removes_at' END AS "removesAt"
    FROM "AuditEvent" WHERE "ducklingId" = ${ducklingId} AND "seq" > ${after}::int ORDER BY "seq" LIMIT ${eventsMax}`
  const reached = events.at(-1)?.seq ?? after
  const ids = [...new Set(events.flatMap(({ peckId }) => (peckId === null ? [] : [peckId])))]
  const recoveries = recoveriesIn(events)
  if (ids.length === 0) return { pecks: [], recoveries, reached }
  const rows = await readPecks(db(), Prisma.sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const pecks = rows.sort((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id))
  return { pecks, recoveries, reached }
}
