/**
 * The public directory (contract B, spaceducks; security bar, D6): visible ducklings at T1 or higher, with masked ids. `listed` is
 * a separate, indexed column, so reading a page is fast for any number of ducklings. Certificates and agents are read only for the
 * ducklings on the page.
 */
import { db, Prisma, type Tx } from '@/lib/db/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import type { AgentCaller, Context, SessionCaller } from '@/lib/kernel/context'
import { text } from '@/lib/kernel/fields'
import { handleIn } from '@/lib/kernel/handle'
import { type Page, type PageRequest, pageOf, sealedCursor } from '@/lib/kernel/page'
import type { Tier } from '@/lib/kernel/tier'
import { tidyName } from './names'
import { ownProfile } from './profile'
import { type DirectoryEntryInput, type ListedRow, type ProfileInput, presentEntry } from './schema'

/** The cursor is encrypted, because it contains an unmasked id. */
export const directoryCursor = sealedCursor('directory')

/** Handle or name to search for: the whole text counts, and capital letters make no difference. */
export const directorySearch = text(1, 64).transform(tidyName)

/**
 * Returns a page of the directory, newest first. With `q`, only ducklings with that handle, display name or full name. Adds the caller's own
 * profile, listed or not, for a signed-in person, and the operator's profile for an agent with the capability `read:profile`.
 */
export async function listDirectory(
  context: Context<SessionCaller | AgentCaller | null>,
  page: PageRequest,
  { tier, q }: { tier?: Tier | undefined; q?: string | undefined },
): Promise<Page<DirectoryEntryInput> & { self?: ProfileInput }> {
  const older = page.after === null ? Prisma.empty : sql`AND "id" < ${page.after}`
  const ofTier = tier === undefined ? Prisma.empty : sql`AND "trustTier" = ${tier}::"Tier"`
  const columns = sql`"id", "displayName", "fullName", "handle", "trustTier", "createdAt"`
  const ofPage = (condition: Sql) => sql`(SELECT ${columns} FROM "Duckling"
    WHERE "listed" ${condition} ${ofTier} ${older} ORDER BY "id" DESC LIMIT ${page.limit + 1})`
  // Each part has its own index. One condition with OR would read all of the directory.
  const found = (
    words: string,
  ) => sql`${ofPage(sql`AND "handle" = ${(handleIn(words) ?? words).toLowerCase()}`)}
    UNION ${ofPage(sql`AND lower("displayName") = lower(${words}::text)`)}
    UNION ${ofPage(sql`AND lower("fullName") = lower(${words}::text)`)}`
  const rows = await db().rows<ListedRow>`
    SELECT d.*, c."id" IS NOT NULL AS "certified",
      (SELECT count(*)::int FROM "Agent" WHERE "ducklingId" = d."id" AND "status" = 'bonded') AS "bondedAgents"
    FROM (SELECT * FROM (${q === undefined ? ofPage(Prisma.empty) : found(q)}) matching ORDER BY "id" DESC LIMIT ${page.limit + 1}) d
    ${leftJoinRow('Certificate', 'c', 'd."id"', 'activeFor')}
    ORDER BY d."id" DESC`
  const { caller } = context
  const mayReadProfile =
    caller !== null && (caller.type === 'duckling' || caller.capabilities.includes('read:profile'))
  return {
    ...pageOf(rows, page, ({ id }) => id, presentEntry, directoryCursor),
    ...(mayReadProfile ? { self: await ownProfile({ ...context, caller }) } : {}),
  }
}

/** Tells in SQL whether a duckling with that tier is listed. */
export function isListedAt(tier: Sql): Sql {
  return sql`("directoryVisible" AND ${tier} <> 'T0' AND "deletedAt" IS NULL AND "suspendedAt" IS NULL)`
}

/**
 * Updates `listed` after a change of visibility. The database computes it from the current row. So a duckling that hides
 * and verifies its address at the same time cannot stay listed.
 */
export async function updateListing(tx: Tx, ducklingId: string): Promise<void> {
  await tx.run`
    UPDATE "Duckling" SET "listed" = ${isListedAt(sql`"trustTier"`)}
    WHERE "id" = ${ducklingId}`
}
