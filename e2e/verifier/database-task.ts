/**
 * What somebody with full access to a stopped server's database does: `append <count>` logs `count` made-up entries and everything that
 * is pending; `rewrite <DUCK-…> <seq>` changes an event and everything after it, in the audit log and in the transparency log.
 */

import { hashEvent } from '@beak/proofs/audit/hash'
import { chainHeadDigest, encodeEntry } from '@beak/proofs/log/entry'
import { hashOfLeaf } from '@beak/proofs/log/merkle'
import { closeDatabase, db, openDatabase, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { presentEvent } from '@/lib/domain/audit/schema'
import { storeHashes } from '@/lib/domain/tlog/tree'
import { appendNow, pendingEntries } from '@/lib/fixtures/tlog'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'

const tables = ['AuditEvent', 'LogEntry', 'LogHash', 'LogCheckpoint', 'LogCosignature']

const setTriggers = async (state: 'DISABLE' | 'ENABLE') => {
  for (const table of tables) await db().run`${Prisma.raw(`ALTER TABLE "${table}" ${state} TRIGGER USER`)}`
}

/** Rewrites the audit log from that event on, with correct hashes. Returns the new hashes by number. */
async function rewriteChain(ducklingId: string, seq: number): Promise<Map<number, string>> {
  const rows = await db().auditEvent.findMany({
    where: { ducklingId, seq: { gte: seq } },
    orderBy: { seq: 'asc' },
  })
  const hashes = new Map<number, string>()
  for (const row of rows) {
    const changed = {
      ...row,
      metadata: row.seq === seq ? { forged: true } : row.metadata,
      prevHash: hashes.get(row.seq - 1) ?? row.prevHash,
    }
    const hash = await hashEvent(JSON.parse(JSON.stringify(presentEvent(changed))) as object)
    hashes.set(row.seq, hash)
    await db().run`
      UPDATE "AuditEvent" SET "metadata" = ${JSON.stringify(changed.metadata)}::jsonb, "prevHash" = ${changed.prevHash}, "hash" = ${hash}
      WHERE "id" = ${row.id}`
    await db().run`
      UPDATE "AuditChain" SET "hash" = ${hash}, "prevHash" = ${changed.prevHash} WHERE "ducklingId" = ${ducklingId}`
  }
  return hashes
}

/** Rewrites the transparency log, so that its entries fit the rewritten chain. The next append signs it. */
async function rewriteLog(ducklingId: string, hashes: Map<number, string>): Promise<void> {
  const entries = await db().logEntry.findMany({ where: { ducklingId, kind: 'chain_head' } })
  for (const { index, seq } of entries) {
    const hash = hashes.get(seq ?? 0)
    if (hash === undefined || seq === null) continue
    const data = encodeEntry('chain_head', chainHeadDigest({ ducklingId, seq, hash }))
    await db().logEntry.update({
      where: { index },
      data: { data: new Uint8Array(data), leafHash: new Uint8Array(hashOfLeaf(data)) },
    })
  }
  await db().logHash.deleteMany()
  await db().logCheckpoint.deleteMany()
  const leaves = await db().logEntry.findMany({ orderBy: { index: 'asc' }, select: { leafHash: true } })
  const hashesOfLeaves = leaves.map(({ leafHash }) => Buffer.from(leafHash))
  await transaction((tx) => storeHashes(tx, 0, hashesOfLeaves))
}

await openDatabase()
await prepareKeys()
const [task, first = '', second = ''] = process.argv.slice(2)
if (task === 'append') await pendingEntries(Number(first))
else {
  await setTriggers('DISABLE')
  await rewriteLog(first, await rewriteChain(first, Number(second)))
  await setTriggers('ENABLE')
}
await appendNow()
await closeDatabase()
process.exit(0)
