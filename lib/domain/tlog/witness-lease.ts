/** The size that each witness cosigned last, and the lease on it: only one instance at a time asks a witness. */

import { hex } from '@beak/proofs/bytes'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { config } from '@/lib/kernel/config'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { findCheckpoint, findCheckpointOfSize, type PublishedCheckpoint } from './published'

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

/** Chooses the state of the log that a decision names. */

/** How many checkpoints are looked at: those of at least ten minutes. */
const recent = 10

/**
 * Returns the checkpoint that a passkey of this account signs, or null when there is none. Without witnesses, this is the newest checkpoint.
 * With witnesses, it is the recent checkpoint with the most cosignatures: the newest checkpoint gets its cosignatures some seconds later, and
 * a receipt that was downloaded before would never have them. The checkpoint always includes the newest passkey of the account.
 */
export async function findWitnessedCheckpoint(
  tx: Tx,
  ducklingId: string,
): Promise<PublishedCheckpoint | null> {
  const newest = await findCheckpoint(tx)
  const witnesses = config().tlogWitnesses.map(({ vkey }) => vkey)
  if (newest === null || witnesses.length === 0) return newest
  const [best] = await tx.rows<{ size: bigint }>`
    SELECT c."size" FROM (
      SELECT DISTINCT "size" FROM "LogCheckpoint" WHERE "origin" = ${newest.origin} ORDER BY "size" DESC LIMIT ${recent}) c
    CROSS JOIN LATERAL (
      SELECT count(*) AS "lines" FROM "LogCosignature" s
      WHERE s."origin" = ${newest.origin} AND s."size" = c."size" AND s."witness" = ANY(${witnesses}::text[])) w
    WHERE NOT EXISTS (
      SELECT 1 FROM "LogEntry" e WHERE e."ducklingId" = ${ducklingId} AND e."kind" = 'passkey_enrolled'
        AND e."index" >= c."size" AND e."index" < ${newest.size}::bigint)
    ORDER BY w."lines" DESC, c."size" DESC LIMIT 1`
  const size = Number(best?.size ?? newest.size)
  if (size === newest.size) return newest
  // A key that was distrusted since may have signed the older one.
  return (await findCheckpointOfSize(tx, newest.origin, size)) ?? newest
}
