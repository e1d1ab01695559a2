/**
 * The public directory (contract B, spaceducks; security bar, D6): visible ducklings at T1 or higher, with masked ids. `listed` is
 * a separate, indexed column, so reading a page is fast for any number of ducklings. Certificates and agents are read only for the
 * ducklings on the page.
 */
import { db, type Tx } from '@/lib/db/client'
import type { AgentCaller, Context, SessionCaller, Tier } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf, sealedCursor } from '@/lib/kernel/page'
import { ownProfile } from './profile'
import { type DirectoryEntryInput, type ProfileInput, presentEntry } from './schema'

/** The cursor is encrypted, because it contains an unmasked id. */
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
  const { certified, bondedAgents } = await readCertificatesAndAgents(
    rows.slice(0, page.limit).map(({ id }) => id),
  )
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

/** Returns which of these ducklings have an active certificate, and how many bonded agents each one has. */
async function readCertificatesAndAgents(
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
 * Updates `listed` after a change of visibility or tier. The database computes it from the current row. So a duckling that hides
 * and verifies its address at the same time cannot stay listed.
 */
export async function updateListing(tx: Tx, ducklingId: string): Promise<void> {
  await tx.run`
    UPDATE "Duckling" SET "listed" = ("directoryVisible" AND "trustTier" <> 'T0' AND "deletedAt" IS NULL)
    WHERE "id" = ${ducklingId}`
}
