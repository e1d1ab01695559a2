/** What permissions were used for. */
import { z } from 'zod'
import { db, Prisma, type Tx } from '@/lib/db/client'
import type { PeckUse as PeckUseRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import type { PeckUseInput } from '@/lib/domain/pecks/display/schema'
import { findPeck, requireVisible } from '@/lib/domain/pecks/rows'
import { peckId } from '@/lib/domain/pecks/schema'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf, pageQuery } from '@/lib/kernel/page'

/** Query of `GET /beak/peck/uses`. */
export const UsesQuery = z.strictObject({ ...pageQuery(), peck_id: peckId })

/** Returns a page of the kept uses of a permission, newest first. Throws `peck_not_found`. */
export async function listUses(
  context: OperatorContext<'peck_not_found'>,
  page: PageRequest,
  id: string,
): Promise<Page<PeckUseInput>> {
  requireVisible(context, await findPeck(id))
  // A cursor that somebody made up may have no number or a very large one.
  const older = page.after === null ? Prisma.empty : sql`AND "number" < ${Number(page.after)}::float8`
  const rows = await db().rows<PeckUseRow>`
    SELECT * FROM "PeckUse" WHERE "peckId" = ${id} ${older} ORDER BY "number" DESC LIMIT ${page.limit + 1}`
  return pageOf(rows, page, ({ number }) => String(number), presentUse)
}

const presentUse = ({ number, usedAt, audience }: PeckUseRow): PeckUseInput => ({
  number,
  used_at: usedAt,
  audience,
})

/** Details of a peck have this many uses. */
const detailedMax = 3

/** Returns the newest uses of each of these pecks. */
export async function lastUsesOf(tx: Tx, ids: string[]): Promise<Map<string, PeckUseInput[]>> {
  const rows = await tx.rows<PeckUseRow>`
    SELECT u.* FROM unnest(${ids}::text[]) AS asked("id")
    CROSS JOIN LATERAL (
      SELECT * FROM "PeckUse" WHERE "peckId" = asked."id" ORDER BY "number" DESC LIMIT ${detailedMax}) u`
  const uses = new Map<string, PeckUseInput[]>()
  for (const row of rows) uses.set(row.peckId, [...(uses.get(row.peckId) ?? []), presentUse(row)])
  return uses
}

/** Deletes the uses of permissions that the duckling gave. */
export async function eraseUses(tx: Tx, ducklingId: string): Promise<void> {
  await tx.run`
    DELETE FROM "PeckUse" WHERE "peckId" IN (
      SELECT "id" FROM "Peck" WHERE "targetDucklingId" = ${ducklingId} AND "status" = 'approved' AND "uses" > 0)`
}

/** Returns the kept uses of all permissions that the duckling gave. */
export async function exportUses(
  tx: Tx,
  ducklingId: string,
): Promise<(PeckUseInput & { peck_id: string })[]> {
  const rows = await tx.rows<PeckUseRow>`
    SELECT u.* FROM "Peck" p JOIN "PeckUse" u ON u."peckId" = p."id"
    WHERE p."targetDucklingId" = ${ducklingId} AND p."status" = 'approved' AND NOT p."blocked" AND p."uses" > 0
    ORDER BY u."peckId", u."number"`
  return rows.map((row) => ({ peck_id: row.peckId, ...presentUse(row) }))
}
