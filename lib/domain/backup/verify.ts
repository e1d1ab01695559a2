/** Checks the rows of a backup against each other, before they are kept. */

import type { ClientBase } from 'pg'
import { readBatches } from '@/lib/db/cursor'
import type { Queries } from '@/lib/db/sql'
import { checkChains } from '@/lib/domain/integrity/chains'
import type { Contradiction } from '@/lib/domain/integrity/contradictions'
import { checkLog } from '@/lib/domain/integrity/log'
import { isVerifiable } from '@/lib/domain/passkeys/verifiable'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/approval-proof'
import { unseal } from '@/lib/kernel/secrets'
import { BackupRefused } from './refused'

export interface Verified {
  events: number
  entries: number
  receipts: number
  /** Pecks whose signed decision does not verify, for instance since the address of the service changed. */
  unverified: string[]
}

/** Throws `BackupRefused` for the first row that breaks a rule. */
function requireWhole(contradictions: Contradiction[]): void {
  for (const { rule, rows, count } of contradictions)
    if (count > 0) throw new BackupRefused(`${rule}, but not here: ${rows[0]}. Use another backup.`)
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
  const chains = await checkChains(client)
  requireWhole(chains.contradictions)
  const log = await checkLog(client, queries)
  requireWhole(log.contradictions)
  return { events: chains.events, entries: log.entries, ...(await verifyReceipts(client, site)) }
}
