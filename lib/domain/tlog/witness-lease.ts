/** The size that each witness cosigned last, and the lease on it: only one instance at a time asks a witness. */
import { hex } from '@beak/client/verify/bytes'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { secondsAfter } from '@/lib/kernel/clock'
import type { PublishedCheckpoint } from './published'

/** The lease is renewed while its instance asks. The lease of a killed instance expires after this time. */
export const leaseSeconds = 10
/** A lease that ends later than this is from before the clock was set back. The clocks of instances differ by less. */
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
  const [row] = await db().rows<{ size: bigint; claimedUntil: Date }>`
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

/** Extends the lease to 10 seconds from now. Returns false when another instance has taken it. */
export async function renewLease(lease: Lease, now: Date): Promise<boolean> {
  const claimedUntil = secondsAfter(now, leaseSeconds)
  const { count } = await db().logWitness.updateMany({ where: ownLease(lease), data: { claimedUntil } })
  if (count === 1) lease.claimedUntil = claimedUntil
  return count === 1
}

/** Stores the size that the witness says it has cosigned. */
export async function storeSize(lease: Lease, size: number): Promise<void> {
  await db().logWitness.updateMany({ where: ownLease(lease), data: { size } })
}

export async function releaseLease(lease: Lease): Promise<void> {
  await db().logWitness.updateMany({ where: ownLease(lease), data: { claimedUntil: null } })
}

/**
 * Stores a verified cosignature and releases the lease. The cosignature is stored even when the lease has expired, because it is valid
 * without the lease. Stores nothing when `log continue` has removed the checkpoint meanwhile: the line is wrong for another tree of this size.
 */
export async function storeCosignature(
  lease: Lease,
  { size, root }: Pick<PublishedCheckpoint, 'size' | 'root'>,
  line: string,
  now: Date,
): Promise<void> {
  const { witness, origin } = lease
  await transaction(async (tx) => {
    await tx.run`
      INSERT INTO "LogCosignature" ("origin", "size", "witness", "line", "createdAt")
      SELECT ${origin}::text, ${size}::bigint, ${witness}::text, ${line}::text, ${now}::timestamptz
      WHERE EXISTS (
        SELECT 1 FROM "LogCheckpoint"
        WHERE "origin" = ${origin} AND "size" = ${size}::bigint AND "root" = decode(${hex(root)}, 'hex'))
      ON CONFLICT DO NOTHING`
    await tx.logWitness.updateMany({ where: ownLease(lease), data: { size, claimedUntil: null } })
  })
}
