/** Chooses the state of the log that a decision names. */
import type { Tx } from '@/lib/db/client'
import { config } from '@/lib/kernel/config'
import { findCheckpoint, findCheckpointOfSize, type PublishedCheckpoint } from './published'

/** How many checkpoints are looked at: those of at least ten minutes. */
const recent = 10

/**
 * Returns the checkpoint that a passkey of this account signs, or null when there is none. Without witnesses this is the newest one. With
 * witnesses it is the recent one with the most cosignatures, because the newest one gets its cosignatures some seconds later, and a receipt
 * that was downloaded before that would lack them for ever. A state of the log without the newest passkey of the account is not chosen.
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
