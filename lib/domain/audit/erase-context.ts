import { db } from '@/lib/db/client'

/** Events in one statement: few, so that no command waits long for it. */
const batch = 1000

/**
 * Erases IP addresses, user agents and their salts from the log of a closed account. The append-only trigger allows only this change.
 * The chain stays valid, because its hashes cover a digest of the erased values. Called by the worker. Safe to run twice.
 */
export async function eraseContext({ duckling_id: ducklingId }: { duckling_id: string }): Promise<void> {
  const chain = await db().auditChain.findUnique({ where: { ducklingId } })
  for (let after = 0; after < (chain?.seq ?? 0); after += batch) {
    await db().run`
      UPDATE "AuditEvent" SET "salt" = NULL, "ip" = NULL, "userAgent" = NULL
      WHERE "ducklingId" = ${ducklingId} AND "seq" > ${after}::int AND "seq" <= ${after + batch}::int AND "salt" IS NOT NULL`
  }
}
