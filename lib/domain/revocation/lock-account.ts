import type { Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { isLivePeckOf } from './end-pecks'

export interface Owner {
  /** The email address, or null when it was never verified. */
  verifiedEmail: string | null
}

/**
 * Locks the caller's account and everything that ends with it. The locks are taken in the same order as in other commands, audit
 * logs last, so that no deadlock can occur. Throws `session_invalid` when the account has just been closed.
 */
export async function lockAccount(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<Owner> {
  const { now } = context
  const { id } = context.caller
  await tx.run`
    SELECT 1 FROM "Agent" WHERE "ducklingId" = ${id} AND "status" <> 'deregistered' ORDER BY "id" FOR NO KEY UPDATE`
  const [owner] = await tx.rows<Owner>`
    SELECT CASE WHEN "emailVerifiedAt" IS NOT NULL THEN "email" END AS "verifiedEmail"
    FROM "Duckling" WHERE "id" = ${id} AND "deletedAt" IS NULL FOR UPDATE`
  if (!owner) throw context.fail('session_invalid')
  const pecks = await tx.rows<{ requester: string; target: string }>`
    SELECT "requesterDucklingId" AS "requester", "targetDucklingId" AS "target" FROM "Peck"
    WHERE ${isLivePeckOf(id, now)} ORDER BY "id" FOR NO KEY UPDATE`
  await tx.run`
    SELECT 1 FROM "Session" WHERE "ducklingId" = ${id} AND "revokedAt" IS NULL ORDER BY "id" FOR NO KEY UPDATE`
  const sides = new Set([id, ...pecks.flatMap(({ requester, target }) => [requester, target])])
  await tx.run`
    SELECT 1 FROM "AuditChain" WHERE "ducklingId" = ANY(${[...sides]}::text[]) ORDER BY "ducklingId" COLLATE "C" FOR UPDATE`
  return owner
}
