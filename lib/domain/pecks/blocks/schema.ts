/** Shapes of blocks on the wire. */
import { z } from 'zod'
import { instant, tier } from '@/lib/kernel/fields'
import type { Tier } from '@/lib/kernel/tier'

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

export type BlockInput = z.input<typeof Block>

/** A block with the name and the tier of the blocked duckling. */
export interface BlockRow {
  blockedDucklingId: string
  createdAt: Date
  displayName: string
  fullName: string | null
  /** Null for a person whom the directory does not list: everybody can block everybody, and must not learn handles so. */
  handle: string | null
  trustTier: Tier
}

/** Returns a block as an item of the list of blocks. */
export function presentBlockedDuckling(row: BlockRow): BlockInput {
  return {
    duckling_id: row.blockedDucklingId,
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    ...(row.handle === null ? {} : { handle: row.handle }),
    trust_tier: row.trustTier,
    blocked_at: row.createdAt,
  }
}
