/**
 * The public directory: visible ducklings at T1 or higher, with masked ids. `listed` is
 * a separate, indexed column, so reading a page is fast for any number of ducklings. Certificates and agents are read only for the
 * ducklings on the page.
 */

import type { z } from 'zod'
import { db, Prisma, type Tx } from '@/lib/db/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { lockLiveAgent, readAgent } from '@/lib/domain/agents/read'
import type { AgentChange, AgentInput } from '@/lib/domain/agents/schema'
import { readScopes, rightsOf } from '@/lib/domain/agents/scopes'
import { compareRenamedAsker } from '@/lib/domain/pecks/request/renamed-asker'
import { announceChange, recordSettingsChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller, type ProofFailure, requireOwnProof, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { AgentCaller, Context, DucklingContext, SessionCaller } from '@/lib/kernel/request/context'
import { text } from '@/lib/kernel/request/fields'
import { handleIn } from '@/lib/kernel/request/handle'
import { type Page, type PageRequest, pageOf, sealedCursor } from '@/lib/kernel/request/page'
import { reaches, type Tier } from '@/lib/kernel/request/tier'
import { changesNames, rename } from './change-name'
import { tidyName } from './names'
import { ownProfile } from './read-profile'
import {
  type DirectoryEntryInput,
  getDuckling,
  type ListedRow,
  type ProfileChange,
  type ProfileInput,
  presentEntry,
  presentProfile,
  profileColumns,
} from './schema'

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

/**
 * Changes the given fields: all of them, or none when the name may not change yet. Throws `name_change_throttled`. A change of a
 * name, and one that weakens the rules for pecks, also throws the failures of `requireProof`, or `session_invalid`.
 *
 * Without fields, the answer is the unchanged profile. The current names, for instance in a form that sends all
 * fields, are not a name change. `require_passkey_for_pecks` can be set without a passkey, because approving then names the problem.
 */
export function updateProfile(
  context: DucklingContext<'name_change_throttled' | WeakeningFailure>,
  change: z.output<typeof ProfileChange>,
): Promise<ProfileInput> {
  const { caller, now } = context
  const { display_name: displayName, full_name: fullName, ...others } = change
  const fields = Object.keys(others).sort()
  return transaction(async (tx) => {
    const isWeakened = await requireProofToWeaken(tx, context, others)
    const before = await getDuckling(tx, caller.id)
    if (changesNames(before, { displayName, fullName })) {
      await requireProof(tx, context)
      await rename(tx, context, { displayName, fullName })
    }
    if (fields.length > 0) {
      await tx.duckling.update({ where: { id: caller.id }, data: profileColumns(others) })
      await updateListing(tx, caller.id)
      await recordSettingsChange(tx, context)
      record(tx, context, 'duckling.updated', {
        targets: [{ type: 'duckling', id: caller.id }],
        metadata: { fields },
      })
      if (isWeakened) announceChange(tx, context, 'rules_weakened')
    }
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}

type WeakeningFailure = ProofFailure | 'session_invalid'

type Rules = Pick<z.output<typeof ProfileChange>, 'require_passkey_for_pecks' | 'min_peck_tier'>

/** Requires a proof when the change weakens the rules for pecks, and returns whether it does. Locks the account, so that the rules do not change meanwhile. */
async function requireProofToWeaken(
  tx: Tx,
  context: DucklingContext<WeakeningFailure>,
  change: Rules,
): Promise<boolean> {
  const { require_passkey_for_pecks: requirePasskey, min_peck_tier: minTier } = change
  if (requirePasskey !== false && minTier === undefined) return false
  await lockCaller(tx, context)
  const before = await tx.duckling.findUniqueOrThrow({
    where: { id: context.caller.id },
    select: { requirePasskeyForPecks: true, minPeckTier: true },
  })
  const dropsPasskey = requirePasskey === false && before.requirePasskeyForPecks
  const lowersTier = minTier !== undefined && !reaches(minTier, before.minPeckTier)
  if (!dropsPasskey && !lowersTier) return false
  await requireProof(tx, context)
  return true
}

/**
 * Changes the given settings of an agent. Capabilities cannot be changed: for more capabilities, the owner registers another agent with
 * its own key. Only what a connected program may do changes, by its scopes. Throws `agent_not_found`, `agent_status_conflict`,
 * `agent_not_connected` for scopes of another agent, or the failures of `requireProof` when the agent may do more, or its key is
 * allowed in addresses.
 */
export function updateAgent(
  context: DucklingContext<
    'agent_not_found' | 'agent_status_conflict' | 'agent_not_connected' | ProofFailure
  >,
  { agent_id: agentId, ...change }: z.output<typeof AgentChange>,
): Promise<AgentInput> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    const { scopes } = change
    if (scopes !== undefined && (await tx.connection.count({ where: { agentId } })) === 0)
      throw context.fail('agent_not_connected')
    const rights =
      scopes === undefined
        ? { capabilities: agent.capabilities, asksOthers: change.asks_others ?? agent.asksOthers }
        : rightsOf(readScopes(scopes.join(' ')))
    const next = {
      name: change.agent_name ?? agent.name,
      allowQueryKey: change.allow_query_key ?? agent.allowQueryKey,
      ...rights,
    }
    const allowsInAddresses = next.allowQueryKey && !agent.allowQueryKey
    const allowsMore =
      (next.asksOthers && !agent.asksOthers) ||
      next.capabilities.some((capability) => !agent.capabilities.includes(capability))
    if (allowsMore) await requireOwnProof(tx, context)
    else if (allowsInAddresses) await requireProof(tx, context)
    await tx.agent.update({ where: { id: agentId }, data: next })
    if (next.name !== agent.name)
      await compareRenamedAsker(tx, { ducklingId: agent.ducklingId, agentId }, context.now)
    record(tx, context, 'agent.updated', {
      targets: [{ type: 'agent', id: agentId }],
      metadata: {
        agent_name: next.name,
        allow_query_key: next.allowQueryKey,
        capabilities: next.capabilities,
        asks_others: next.asksOthers,
      },
    })
    if (allowsInAddresses) announceChange(tx, context, 'key_in_addresses', { ...next, id: agentId })
    if (allowsMore) announceChange(tx, context, 'agent_may_more', { ...next, id: agentId })
    return readAgent(tx, agentId)
  })
}
