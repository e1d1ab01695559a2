/**
 * The public directory (contract B, spaceducks; security bar, D6): who is visible and at T1 or higher, with masked ids and
 * nothing that identifies further. `listed` is a column of its own, so that a page is a stretch of an index, however many
 * ducklings there are; what else a page shows is read for the ids on it only.
 */
import { db, type Tx } from '@/lib/db/client'
import type { AgentCaller, Context, SessionCaller, Tier } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf, sealedCursor } from '@/lib/kernel/page'
import { ownProfile } from './profile'
import { type DirectoryEntryInput, type ProfileInput, presentEntry } from './schema'

/** The key of a page is an unmasked id, which strangers must not learn from the cursor. */
export const directoryCursor = sealedCursor('directory')

/**
 * Returns a page of the directory, newest first. Adds the caller's own profile, listed or not, for a signed-in person, and the
 * operator's profile for an agent with the capability `read:profile`.
 */
export async function listDirectory(
  context: Context<SessionCaller | AgentCaller | null>,
  page: PageRequest,
  tier: Tier | undefined,
): Promise<Page<DirectoryEntryInput> & { self?: ProfileInput }> {
  const rows = await db().duckling.findMany({
    where: {
      listed: true,
      ...(tier === undefined ? {} : { trustTier: tier }),
      ...(page.after === null ? {} : { id: { lt: page.after } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    select: { id: true, displayName: true, trustTier: true, createdAt: true },
  })
  const { certified, bondedAgents } = await standing(rows.slice(0, page.limit).map(({ id }) => id))
  const present = (row: (typeof rows)[number]) =>
    presentEntry(row, {
      certified: certified.has(row.id),
      bondedAgents: bondedAgents.get(row.id) ?? 0,
    })
  const { caller } = context
  const mayReadProfile =
    caller !== null && (caller.type === 'duckling' || caller.capabilities.includes('read:profile'))
  return {
    ...pageOf(rows, page, ({ id }) => id, present, directoryCursor),
    ...(mayReadProfile ? { self: await ownProfile({ ...context, caller }) } : {}),
  }
}

/** Who of these has an active certificate, and how many bonded agents each has. */
async function standing(
  ids: string[],
): Promise<{ certified: Set<string>; bondedAgents: Map<string, number> }> {
  const certificates = await db().certificate.findMany({
    where: { activeFor: { in: ids } },
    select: { ducklingId: true },
  })
  const agents = await db().agent.groupBy({
    by: ['ducklingId'],
    where: { ducklingId: { in: ids }, status: 'bonded' },
    _count: true,
  })
  return {
    certified: new Set(certificates.map(({ ducklingId }) => ducklingId)),
    bondedAgents: new Map(agents.map(({ ducklingId, _count }) => [ducklingId, _count])),
  }
}

/**
 * Keeps `listed` in step after a change of visibility or tier. Computed by the database from the row as it then is, so that
 * hiding oneself and verifying one's address at the same moment cannot leave a hidden duckling listed.
 */
export async function updateListing(tx: Tx, ducklingId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Duckling" SET "listed" = ("directoryVisible" AND "trustTier" <> 'T0' AND "deletedAt" IS NULL)
    WHERE "id" = ${ducklingId}`
}
