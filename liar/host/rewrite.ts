/** Rewrites the audit log of an account in the database, with correct hashes. The service signs the new end by itself. */
import { hashEvent } from '@beak/client/verify/audit/hash'
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { presentEvent } from '@/lib/domain/audit/schema'

/** The triggers refuse such changes. The owner of the database switches them off. */
const withoutTriggers = <T>(change: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(async (tx) => {
    await tx.run`SET LOCAL session_replication_role = replica`
    return change(tx)
  })

/** Removes an event. The later events move up and get new hashes, and the new end goes into the transparency log. */
export async function removeEvent(ducklingId: string, seq: number): Promise<void> {
  await withoutTriggers(async (tx) => {
    const rows = await tx.auditEvent.findMany({
      where: { ducklingId, seq: { gte: seq } },
      orderBy: { seq: 'asc' },
    })
    const [removed, ...later] = rows
    if (removed === undefined || later.length === 0)
      throw new Error(`event ${seq} is not in the middle of the log`)
    await tx.run`DELETE FROM "AuditEvent" WHERE "id" = ${removed.id}`
    let { prevHash } = removed
    for (const row of later) {
      const moved = { ...row, seq: row.seq - 1, prevHash }
      const hash = await hashEvent(JSON.parse(JSON.stringify(presentEvent(moved))) as object)
      await tx.run`
        UPDATE "AuditEvent" SET "seq" = ${moved.seq}::int, "prevHash" = ${prevHash}, "hash" = ${hash} WHERE "id" = ${row.id}`
      await tx.run`
        UPDATE "AuditChain" SET "seq" = ${moved.seq}::int, "prevHash" = ${prevHash}, "hash" = ${hash}, "logPending" = true
        WHERE "ducklingId" = ${ducklingId}`
      prevHash = hash
    }
  })
}

/** Hides entries of one passkey, peck or certificate: no list of an owner has them any longer. */
export async function hideEntriesOf(id: string): Promise<void> {
  await withoutTriggers(async (tx) => {
    await tx.run`UPDATE "LogEntry" SET "ducklingId" = NULL WHERE "passkeyId" = ${id} OR "subjectId" = ${id}`
  })
}

/** Hides the entries that the transparency log has of an account: the service then lists them for somebody else. */
export async function hideEntries(ducklingId: string): Promise<void> {
  await withoutTriggers(async (tx) => {
    await tx.run`UPDATE "LogEntry" SET "ducklingId" = 'DUCK-HIDDEN' WHERE "ducklingId" = ${ducklingId} AND "kind" = 'chain_head'`
  })
}
