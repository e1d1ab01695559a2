/** Counts tries for an address without an account in the same way as for an account, so that the counts do not show who has one. */
import type { Tx } from '@/lib/db/client'
import { keyedHash, previousKeyedHash } from '@/lib/kernel/secrets'

const subjectOf = (hash: Buffer) => `unknown:${hash.toString('base64url')}`

/** Returns the subject that counts tries for an address without an account. */
export function unknownSubject(address: string): string {
  return subjectOf(keyedHash('subject', address))
}

/**
 * During a rotation of the secret, moves the counts of an address from its hash under the previous secret to the current one.
 * Otherwise only the counts of unknown addresses would start again, which would reveal which addresses are unknown. For the same
 * reason this runs for known addresses too. Call it before a try for `address` is counted.
 */
export async function carryTries(tx: Tx, address: string): Promise<void> {
  const before = previousKeyedHash('subject', address)
  if (before === null) return
  await tx.run`
    WITH moved AS (DELETE FROM "OtpGuard" WHERE "subject" = ${subjectOf(before)} RETURNING *)
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "tries", "failures", "pausedUntil", "updatedAt")
    SELECT ${unknownSubject(address)}, "purpose", "tries", "failures", "pausedUntil", "updatedAt" FROM moved
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "tries" = GREATEST(g."tries", EXCLUDED."tries"), "failures" = GREATEST(g."failures", EXCLUDED."failures"),
      "pausedUntil" = GREATEST(g."pausedUntil", EXCLUDED."pausedUntil"),
      "updatedAt" = GREATEST(g."updatedAt", EXCLUDED."updatedAt")`
}
