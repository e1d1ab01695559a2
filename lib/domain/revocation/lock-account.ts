import type { Tx } from '@/lib/db/client'
import { rulesOf } from '@/lib/domain/rules/end-rules'
import { isUnfinishedPeckOf } from './end-pecks'

export interface Owner {
  /** The email address, or null when it was never verified. */
  verifiedEmail: string | null
}

/**
 * Locks an account and everything that ends with it. The locks are taken in the same order as in other commands, audit logs last, so that
 * no deadlock can occur. Returns null when the account is closed.
 */
export async function lockAccount(tx: Tx, id: string, now: Date): Promise<Owner | null> {
  await tx.run`
    SELECT 1 FROM "Agent" WHERE "ducklingId" = ${id} AND "status" <> 'deregistered' ORDER BY "id" FOR NO KEY UPDATE`
  const [owner] = await tx.rows<Owner>`
    SELECT CASE WHEN "emailVerifiedAt" IS NOT NULL THEN "email" END AS "verifiedEmail"
    FROM "Duckling" WHERE "id" = ${id} AND "deletedAt" IS NULL FOR UPDATE`
  if (!owner) return null
  const pecks = await tx.rows<{ requester: string; target: string }>`
    SELECT "requesterDucklingId" AS "requester", "targetDucklingId" AS "target" FROM "Peck"
    WHERE ${isUnfinishedPeckOf(id, now)} ORDER BY "id" FOR NO KEY UPDATE`
  await tx.run`
    SELECT 1 FROM "Session" WHERE "ducklingId" = ${id} AND "revokedAt" IS NULL ORDER BY "id" FOR NO KEY UPDATE`
  const rules = await tx.rows<{ owner: string }>`
    SELECT "ducklingId" AS "owner" FROM "Rule"
    WHERE "status" <> 'ended' AND (${rulesOf(id)} OR "subjectId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${id}))
    ORDER BY "id" FOR NO KEY UPDATE`
  const owners = rules.map(({ owner }) => owner)
  const sides = new Set([id, ...owners, ...pecks.flatMap(({ requester, target }) => [requester, target])])
  await tx.run`
    SELECT 1 FROM "AuditChain" WHERE "ducklingId" = ANY(${[...sides]}::text[]) ORDER BY "ducklingId" COLLATE "C" FOR UPDATE`
  return owner
}
