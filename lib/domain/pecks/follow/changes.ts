import { db } from '@/lib/db/client'
import { findPeck, type PeckRow } from '@/lib/domain/pecks/rows'
import type { EventKind } from '@/lib/infrastructure/events/kinds'

const batchSize = 200

/** A change in the state of a removal of all passkeys. Every session of the account is told. */
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

/** Returns the sequence number of a duckling's newest audit event, or 0 when it has none. */
export async function lastSeq(ducklingId: string): Promise<number> {
  const chain = await db().auditChain.findUnique({ where: { ducklingId }, select: { seq: true } })
  return chain?.seq ?? 0
}

/**
 * Returns the pecks that changed for a duckling after the audit event `after`, oldest change first, the changes of passkey
 * recoveries, and the sequence number of the last event read. `hasMore` tells that further events may follow. Every instance writes
 * an audit event, in order, for each change that the duckling may see. So no change is missed and no hidden peck appears.
 */
export async function readChanges(
  ducklingId: string,
  after: number,
): Promise<{ pecks: PeckRow[]; recoveries: RecoveryChange[]; seq: number; hasMore: boolean }> {
  const events = await db().rows<ChangeEvent>`
    SELECT "seq", "action", CASE WHEN "action" LIKE 'peck.%' AND "outcome" = 'success'
      THEN jsonb_path_query_first("targets", '$[*] ? (@.type == "peck").id') #>> '{}' END AS "peckId",
      CASE WHEN "action" LIKE 'passkey.recover%' AND "outcome" = 'success' THEN "metadata" ->> 'removes_at' END AS "removesAt"
    FROM "AuditEvent" WHERE "ducklingId" = ${ducklingId} AND "seq" > ${after}::int ORDER BY "seq" LIMIT ${batchSize}`
  const seq = events.at(-1)?.seq ?? after
  const ids = [...new Set(events.flatMap(({ peckId }) => (peckId === null ? [] : [peckId])))]
  const recoveries = recoveriesIn(events)
  const hasMore = events.length === batchSize
  const found = await Promise.all(ids.map(findPeck))
  const pecks = found.filter((peck) => peck !== null)
  return { pecks, recoveries, seq, hasMore }
}
