/** The size that each witness cosigned last, and the lease on it: only one instance at a time asks a witness. */
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { secondsAfter } from '@/lib/kernel/clock'

/** Two requests of at most 10 s each, and the statements between them. The lease of an instance that was killed expires after this time. */
const leaseSeconds = 30
/** A lease that ends later than this was taken before the clock was set back. The clocks of two instances differ by less. */
const plausibleSeconds = 300

export interface Lease {
  /** The verifier key of the witness. */
  witness: string
  origin: string
  /** The size that the witness cosigned last, as far as we know. */
  size: number
  claimedUntil: Date
}

/** Takes the lease, or returns null while another instance has it. One guarded statement. */
export async function takeLease(witness: string, origin: string, now: Date): Promise<Lease | null> {
  const [row] = await db().$queryRaw<{ size: bigint; claimedUntil: Date }[]>`
    INSERT INTO "LogWitness" ("witness", "origin", "size", "claimedUntil")
    VALUES (${witness}, ${origin}, 0, ${secondsAfter(now, leaseSeconds)}::timestamptz)
    ON CONFLICT ("witness", "origin") DO UPDATE SET "claimedUntil" = EXCLUDED."claimedUntil"
    WHERE "LogWitness"."claimedUntil" IS NULL OR "LogWitness"."claimedUntil" <= ${now}::timestamptz
      OR "LogWitness"."claimedUntil" > ${secondsAfter(now, plausibleSeconds)}::timestamptz
    RETURNING "size", "claimedUntil"`
  return row === undefined
    ? null
    : { witness, origin, size: Number(row.size), claimedUntil: row.claimedUntil }
}

/** Matches the row only while this instance has the lease: after it expired, another instance may have taken it. */
const ownLease = ({ witness, origin, claimedUntil }: Lease) => ({ witness, origin, claimedUntil })

/** Stores the size that the witness says it has cosigned. */
export async function storeSize(lease: Lease, size: number): Promise<void> {
  await db().logWitness.updateMany({ where: ownLease(lease), data: { size } })
}

export async function releaseLease(lease: Lease): Promise<void> {
  await db().logWitness.updateMany({ where: ownLease(lease), data: { claimedUntil: null } })
}

/**
 * Stores a verified cosignature and releases the lease. The cosignature is stored even when the lease has expired, because it is valid
 * without the lease.
 */
export async function storeCosignature(lease: Lease, size: number, line: string, now: Date): Promise<void> {
  const { witness, origin } = lease
  await transaction(async (tx) => {
    await tx.logCosignature.createMany({
      data: [{ origin, size, witness, line, createdAt: now }],
      skipDuplicates: true,
    })
    await tx.logWitness.updateMany({ where: ownLease(lease), data: { size, claimedUntil: null } })
  })
}
