import { db } from '@/lib/db/client'

/** Events erased by one statement: few enough that nobody waits for it. */
const batch = 1000

/**
 * Erases IP addresses, user agents and their salts from the log of a closed account: the only change that the append-only trigger
 * lets through. The chain stays valid, because hashes cover a digest. Called by the worker after the account was closed; running
 * it twice changes nothing.
 */
export async function eraseContext({ duckling_id: ducklingId }: { duckling_id: string }): Promise<void> {
  const chain = await db().auditChain.findUnique({ where: { ducklingId } })
  for (let after = 0; after < (chain?.seq ?? 0); after += batch) {
    await db().$executeRaw`
      UPDATE "AuditEvent" SET "salt" = NULL, "ip" = NULL, "userAgent" = NULL
      WHERE "ducklingId" = ${ducklingId} AND "seq" > ${after}::int AND "seq" <= ${after + batch}::int AND "salt" IS NOT NULL`
  }
}
