/** Checks the rows of a backup against each other, before they are kept. */

import { chainStart } from '@beak/client/verify/audit/chain-start'
import { isIntact } from '@beak/client/verify/audit/hash'
import { areEqual } from '@beak/client/verify/bytes'
import { rootOf } from '@beak/client/verify/log/merkle'
import type { ClientBase } from 'pg'
import type { Tx } from '@/lib/db/client'
import type { AuditEvent } from '@/lib/db/generated/client'
import type { Queries } from '@/lib/db/sql'
import { presentEvent } from '@/lib/domain/audit/schema'
import { isVerifiable } from '@/lib/domain/passkeys/verifiable'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/approval-proof'
import { readTree } from '@/lib/domain/tlog/tree'
import { unseal } from '@/lib/kernel/secrets'
import { BackupRefused } from './refused'
import { readBatches } from './rows'

export interface Verified {
  events: number
  entries: number
  receipts: number
  /** Pecks whose signed decision does not verify, for instance since the address of the service changed. */
  unverified: string[]
}

/** Throws `BackupRefused` unless every audit log is a whole chain that ends where its head says. Returns the number of events. */
async function verifyChains(client: ClientBase, { rows }: Queries): Promise<number> {
  let count = 0
  let last = { ducklingId: '', seq: 0, hash: chainStart }
  for await (const events of readBatches<AuditEvent>(
    client,
    'SELECT * FROM "AuditEvent" ORDER BY "ducklingId", "seq"',
  ))
    for (const row of events) {
      if (row.ducklingId !== last.ducklingId) last = { ducklingId: row.ducklingId, seq: 0, hash: chainStart }
      const event = JSON.parse(JSON.stringify(presentEvent(row)))
      if (row.seq !== last.seq + 1 || row.prevHash !== last.hash || !(await isIntact(event, row.ducklingId)))
        throw new BackupRefused(
          `Event ${row.seq} in the audit log of ${row.ducklingId} was changed. Use another backup.`,
        )
      last = { ducklingId: row.ducklingId, seq: row.seq, hash: row.hash }
      count++
    }
  const [wrong] = await rows<{ id: string }>`
    SELECT c."ducklingId" AS "id" FROM "AuditChain" c
    LEFT JOIN LATERAL (
      SELECT e."seq", e."hash" FROM "AuditEvent" e WHERE e."ducklingId" = c."ducklingId" ORDER BY e."seq" DESC LIMIT 1) e ON true
    WHERE e."seq" IS DISTINCT FROM c."seq" OR e."hash" IS DISTINCT FROM c."hash" LIMIT 1`
  if (wrong) throw new BackupRefused(`The audit log of ${wrong.id} is cut off. Use another backup.`)
  return count
}

/** Throws `BackupRefused` unless the entries of the transparency log give the root of its newest checkpoint. Returns their number. */
async function verifyLog(queries: Queries): Promise<number> {
  const { rows } = queries
  const [wrong] = await rows<{ index: bigint }>`
    SELECT "index" FROM "LogEntry" WHERE "leafHash" <> sha256('\\x00'::bytea || "data") LIMIT 1`
  const [newest] = await rows<{ size: bigint; root: Uint8Array }>`
    SELECT "size", "root" FROM "LogCheckpoint" ORDER BY "createdAt" DESC, "size" DESC LIMIT 1`
  const size = Number(newest?.size ?? 0)
  const isWhole =
    newest === undefined ||
    areEqual(await rootOf(size, readTree(queries as Tx, size)), new Uint8Array(newest.root))
  if (wrong || !isWhole)
    throw new BackupRefused(
      'The entries of the transparency log do not give its checkpoint. Use another backup.',
    )
  return size
}

async function verifyReceipts(
  client: ClientBase,
  site: string,
): Promise<Pick<Verified, 'receipts' | 'unverified'>> {
  let receipts = 0
  const unverified: string[] = []
  const query = `SELECT "id", "approval" FROM "Peck" WHERE "approval" IS NOT NULL`
  for await (const pecks of readBatches<{ id: string; approval: ApprovalProof }>(client, query))
    for (const { id, approval } of pecks) {
      receipts++
      const { statement, credential_id, public_key, assertion, approver } = approval
      const proof = { credential_id, public_key, assertion }
      if (!(await isVerifiable(proof, statement, approver ?? site))) unverified.push(id)
    }
  return { receipts, unverified }
}

/** Throws unless the secret of this process opens the keys. */
async function verifySecret({ rows }: Queries): Promise<void> {
  const keys = await rows<{ kid: string; privateKey: Uint8Array }>`
    SELECT "kid", "privateKey" FROM "SigningKey" WHERE "privateKey" IS NOT NULL`
  for (const { kid, privateKey } of keys) unseal(privateKey, kid)
}

/** Checks secret, audit logs, transparency log and signed decisions. `site` is the address of the service that made the backup. */
export async function verifyRows(client: ClientBase, queries: Queries, site: string): Promise<Verified> {
  await verifySecret(queries)
  const events = await verifyChains(client, queries)
  const entries = await verifyLog(queries)
  return { events, entries, ...(await verifyReceipts(client, site)) }
}
