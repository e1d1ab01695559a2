import { z } from 'zod'
import { db, Prisma } from '@/lib/db/client'
import { joinRow } from '@/lib/db/sql'
import { type BlockInput, type BlockRow, presentBlockedDuckling } from '@/lib/domain/pecks/blocks/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf, pageQuery } from '@/lib/kernel/page'

const { limit, cursor } = pageQuery()
/** Time of the block in milliseconds and the blocked id. The id orders blocks that were made at the same time. */
const keyPattern = /^(\d{1,15})-(DUCK-[0-9A-HJKMNP-TV-Z]{16,64})$/

/** Query of `GET /beak/peck/blocks`. */
export const BlocksQuery = z.strictObject({
  limit,
  cursor: cursor.refine(
    (key) => key === undefined || keyPattern.test(key),
    'must be the next_cursor of an earlier response',
  ),
})

/** Returns a page of the ducklings that the caller has blocked, newest first. */
export async function listBlocks({ caller }: DucklingContext, page: PageRequest): Promise<Page<BlockInput>> {
  const [, milliseconds, ducklingId] = keyPattern.exec(page.after ?? '') ?? []
  const older =
    milliseconds === undefined
      ? Prisma.empty
      : Prisma.sql`AND (b."createdAt", b."blockedDucklingId") < (${new Date(Number(milliseconds))}::timestamptz, ${ducklingId})`
  const rows = await db().rows<BlockRow>`
    SELECT b."blockedDucklingId", b."createdAt", d."displayName", d."fullName",
      CASE WHEN d."listed" THEN d."handle" END AS "handle", d."trustTier"::text AS "trustTier"
    FROM "PeckBlock" b ${joinRow('Duckling', 'd', 'b."blockedDucklingId"')}
    WHERE b."ducklingId" = ${caller.id} ${older}
    ORDER BY b."createdAt" DESC, b."blockedDucklingId" DESC LIMIT ${page.limit + 1}`
  return pageOf(
    rows,
    page,
    ({ createdAt, blockedDucklingId }) => `${createdAt.getTime()}-${blockedDucklingId}`,
    presentBlockedDuckling,
  )
}
