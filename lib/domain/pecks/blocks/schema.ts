/** Shapes of blocks on the wire. */

import { z } from 'zod'
import { db, Prisma } from '@/lib/db/client'
import { joinRow } from '@/lib/db/sql'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant, tier } from '@/lib/kernel/request/fields'
import { type Page, type PageRequest, pageOf, pageQuery } from '@/lib/kernel/request/page'
import type { Tier } from '@/lib/kernel/request/tier'

export const BlockAnswer = z.object({
  success: z.literal(true),
  duckling_id: z.string(),
  blocked: z.boolean(),
  hidden_pecks: z
    .int()
    .optional()
    .meta({ description: 'After a block: how many pecks that waited for you it hid.' }),
  restored_pecks: z
    .int()
    .optional()
    .meta({ description: 'After unblocking: how many of those wait for you again.' }),
})

export type BlockAnswerInput = z.input<typeof BlockAnswer>

/** Returns the answer to a block or unblock: whether that duckling is blocked now. */
export function presentBlock(ducklingId: string, blocked: boolean): BlockAnswerInput {
  return { success: true, duckling_id: ducklingId, blocked }
}

/** A duckling that the caller has blocked. */
export const Block = z
  .object({
    duckling_id: z.string(),
    display_name: z.string(),
    full_name: z.string().optional().meta({ description: 'The name in any script, if the person has one.' }),
    handle: z.string().optional().meta({ description: 'Of a person whom the directory lists.' }),
    trust_tier: tier,
    blocked_at: instant,
  })
  .meta({ id: 'PeckBlock' })

type BlockInput = z.input<typeof Block>

/** A block with the name and the tier of the blocked duckling. */
interface BlockRow {
  blockedDucklingId: string
  createdAt: Date
  displayName: string
  fullName: string | null
  /** Null for a person whom the directory does not list: everybody can block everybody, and must not learn handles so. */
  handle: string | null
  trustTier: Tier
}

/** Returns a block as an item of the list of blocks. */
function presentBlockedDuckling(row: BlockRow): BlockInput {
  return {
    duckling_id: row.blockedDucklingId,
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    ...(row.handle === null ? {} : { handle: row.handle }),
    trust_tier: row.trustTier,
    blocked_at: row.createdAt,
  }
}

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
