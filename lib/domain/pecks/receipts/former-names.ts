import type { Tx } from '@/lib/db/client'
import type { FormerName } from '@/lib/db/generated/client'

/**
 * Returns the names that people had at a time, by id, of those who have changed their names since then. Nothing of a closed account.
 */
export async function readFormerNames(
  tx: Pick<Tx, 'rows'>,
  ids: string[],
  at: Date,
): Promise<Map<string, FormerName>> {
  const rows = await tx.rows<FormerName>`
    SELECT DISTINCT ON ("ducklingId") * FROM "FormerName"
    WHERE "ducklingId" = ANY(${ids}::text[]) AND "until" > ${at}::timestamptz ORDER BY "ducklingId", "until"`
  return new Map(rows.map((row) => [row.ducklingId, row]))
}
