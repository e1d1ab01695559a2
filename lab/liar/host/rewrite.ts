/** Rewrites the audit log of an account in the database, with correct hashes. The service signs the new end by itself. */

import { hashEvent } from '@beak/proofs/audit/hash'
import { formatVerifierKey } from '@beak/proofs/log/verifier-key'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { presentEvent } from '@/lib/domain/audit/schema'
import { logOrigin, logVerifierKey } from '@/lib/domain/tlog/origin'
import { type ALog, aLog } from '@/lib/fixtures/logs'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { readClock } from '@/lib/kernel/runtime/clock'
import type { Host } from './start'

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

/** Another log for another reader: the host signs a tree with other entries and the same size. */

/** Returns the log with `entry` in the place of another one, signed with the real key of the log. No entry of `reader` is replaced. */
export async function forkedLog(entry: Uint8Array, reader: string): Promise<ALog & { index: number }> {
  const rows = await db().logEntry.findMany({ orderBy: { index: 'asc' } })
  const index = rows.findLastIndex(({ ducklingId }) => ducklingId !== reader)
  const entries = rows.map(({ data }, place) => (place === index ? entry : new Uint8Array(data)))
  const { x, privateKey } = await logKey(readClock())
  const key = logVerifierKey(await logOrigin(), x)
  return { ...(await aLog(entries, { key, privateKey, vkey: formatVerifierKey(key) })), index }
}

/** Asks the witness to cosign a fork. Throws unless the witness refuses because it has cosigned another tree. */
export async function expectNoCosignature({ witnessUrl }: Host, { size, checkpoint }: ALog): Promise<void> {
  const answer = await fetch(`${witnessUrl}/add-checkpoint`, {
    method: 'POST',
    body: `old ${size}\n\n${checkpoint}`,
  })
  if (answer.status !== 409 && answer.status !== 422)
    throw new Error(`the witness answered ${answer.status} to a forked log`)
}
