/**
 * Removes what some sessions have made in an account. Called by the first proof of its address (contract F), which removes what all other
 * sessions made, and by the undo of a change of address, which removes what was made since.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { retireKey } from '@/lib/domain/agents/make-key'
import { holdAgents } from '@/lib/domain/agents/suspend'
import { deleteApprover } from '@/lib/domain/approvers/remove'
import { endInvitations } from '@/lib/domain/invitations/revoke'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { recountHistory } from '@/lib/domain/pecks/asker-history'
import { forgetAlways } from '@/lib/domain/pecks/contacts/contacts'
import { forbidding } from '@/lib/domain/rules/candidate'
import { type EndedRule, endRules, ownRules, pauseRules } from '@/lib/domain/rules/end-rules'
import { lockEndpoints, removeEndpoints } from '@/lib/domain/webhooks/delete'
import { holdEndpoints } from '@/lib/domain/webhooks/disable'
import { record } from '@/lib/infrastructure/events/record'
import type { Context } from '@/lib/kernel/context'
import { endPecks } from './end-pecks'
import { retireAgents } from './retire-agent'

/** What is removed from an account. */
export interface Removal {
  ducklingId: string
  cause: 'account_reclaimed' | 'email_restored'
  /** Returns the condition for the rows that are removed, from the columns with the session that made a row, and with the time. */
  isMade(session: Sql, at: Sql): Sql
  /**
   * True: agents are suspended and webhooks disabled, and the owner can keep single ones. False: they are deregistered and deleted,
   * because the owner cannot know what a stranger prepared.
   */
  holds: boolean
}

/** Ids of what was removed, by kind. */
export interface Removed {
  agents: string[]
  keys: string[]
  passkeys: string[]
  webhooks: string[]
  channels: string[]
  sso_tokens: string[]
  pecks_cancelled: string[]
  grants_revoked: string[]
  rules: string[]
  invitations: string[]
  /** Agents and people who may no longer always reach the owner. */
  contacts: string[]
}

/** The rows of most tables name the session and the time in these columns. */
export const madeRow = ({ isMade }: Pick<Removal, 'isMade'>): Sql =>
  isMade(Prisma.raw('"sessionId"'), Prisma.raw('"createdAt"'))

const decided = ({ isMade }: Removal): Sql =>
  isMade(Prisma.raw('"decidedBySession"'), Prisma.raw('"decidedAt"'))

/** Selects the signatures `s` of the rule `rule` that count as made: also that of an older rule, which allows more since. */
const signedRule = ({ isMade }: Removal, rule: '"Rule"' | 'r'): Sql =>
  isMade(Prisma.raw(`${rule}."sessionId"`), Prisma.raw('s."createdAt"'))

/**
 * Removes agents, keys, handshakes, passkeys, webhooks, channels, tokens, rules, requests and permissions, and the approvals in the history of askers.
 * The account must be locked and its sessions stopped, so that no running command adds rows.
 */
export async function removeMade(tx: Tx, context: Context, removal: Removal): Promise<Removed> {
  const webhooks = await removeWebhooks(tx, context, removal)
  const agents = await removeAgents(tx, context, removal)
  const keys = await retireKeys(tx, context, removal)
  const pecks = await removePecks(tx, context, removal, keys)
  const passkeys = await deletePasskeys(tx, context, {
    ducklingId: removal.ducklingId,
    where: madeRow(removal),
  })
  await deleteApprover(tx, context, { ducklingId: removal.ducklingId, where: madeRow(removal) })
  await forgetApprovals(tx, removal)
  const rules = await endSigned(tx, context, removal)
  const invitations = await endInvitations(tx, removal.ducklingId, madeRow(removal), context.now)
  const contacts = await forgetAlways(
    tx,
    removal.ducklingId,
    removal.isMade(Prisma.raw('"sessionId"'), Prisma.raw('"alwaysAt"')),
  )
  return {
    agents: agents.ids,
    keys: [...agents.keys, ...keys.map(({ id }) => id)],
    passkeys: passkeys.map(({ id }) => id),
    webhooks,
    channels: await removeChannels(tx, context, removal),
    sso_tokens: [
      ...agents.ssoTokens,
      ...(await revokeSsoTokens(tx, context, removal, [
        ...agents.ids,
        ...keys.map(({ agentId }) => agentId),
      ])),
    ],
    pecks_cancelled: [...agents.pecksCancelled, ...pecks.cancelledPecks],
    grants_revoked: [...agents.grantsRevoked, ...pecks.revokedGrants],
    rules: ownRules(rules, removal.ducklingId),
    invitations,
    contacts,
  }
}

/**
 * Ends the rules that were signed. When the owner can keep single things, one that rejects or asks is only paused: it may be an earlier one of
 * the owner, and the owner is asked what it says.
 */
async function endSigned(tx: Tx, context: Context, removal: Removal): Promise<EndedRule[]> {
  const { ducklingId, holds } = removal
  const isSigned = sql`EXISTS (
    SELECT 1 FROM "RuleStatement" s WHERE s."id" = "Rule"."statementId" AND ${signedRule(removal, '"Rule"')})`
  const reason = 'reclaimed'
  if (holds) await pauseRules(tx, context, { ducklingId, where: sql`${forbidding} AND ${isSigned}`, reason })
  const isEnded = holds ? sql`NOT ${forbidding} AND ${isSigned}` : isSigned
  return endRules(tx, context, { where: sql`"ducklingId" = ${ducklingId} AND ${isEnded}`, reason })
}

/** An endpoint also counts when it was changed: its URL may be another one since. */
async function removeWebhooks(tx: Tx, context: Context, removal: Removal): Promise<string[]> {
  const { ducklingId, isMade, holds } = removal
  const changed = isMade(Prisma.raw('"changedBySession"'), Prisma.raw('"changedAt"'))
  const found = await tx.rows<{ id: string }>`
    SELECT "id" FROM "WebhookEndpoint"
    WHERE "ducklingId" = ${ducklingId} AND (${madeRow(removal)} OR ("changedAt" IS NOT NULL AND ${changed}))`
  const ids = await lockEndpoints(tx, { id: { in: found.map(({ id }) => id) } })
  if (holds) {
    await holdEndpoints(tx, context, ducklingId, ids)
    return ids
  }
  await removeEndpoints(tx, ids)
  if (ids.length > 0)
    record(tx, context, 'webhook.deleted', {
      concerning: [ducklingId],
      targets: ids.map((id) => ({ type: 'webhook', id })),
    })
  return ids
}

/** Deletes channels, also when `holds` is true: a channel of a stranger must not stay, and the owner adds a channel again with one tap. */
async function removeChannels(tx: Tx, context: Context, removal: Removal): Promise<string[]> {
  const { ducklingId } = removal
  const removed = await tx.rows<{ id: string }>`
    DELETE FROM "Channel" WHERE "ducklingId" = ${ducklingId} AND ${madeRow(removal)} RETURNING "id"`
  const ids = removed.map(({ id }) => id).sort()
  if (ids.length > 0)
    record(tx, context, 'channel.removed', {
      concerning: [ducklingId],
      targets: ids.map((id) => ({ type: 'channel', id })),
    })
  return ids
}

/** Ids of agents, and of what ended with them. A suspended agent keeps the rest, which does not work until the owner resumes it. */
interface RemovedAgents {
  ids: string[]
  keys: string[]
  ssoTokens: string[]
  pecksCancelled: string[]
  grantsRevoked: string[]
}

async function removeAgents(tx: Tx, context: Context, removal: Removal): Promise<RemovedAgents> {
  const { ducklingId, holds } = removal
  const found = await tx.rows<{ id: string }>`
    SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId} AND "status" <> 'deregistered' AND ${madeRow(removal)}`
  const ids = found.map(({ id }) => id)
  if (holds) {
    const held = await holdAgents(tx, context, ids)
    return {
      ids: held.map(({ id }) => id),
      keys: [],
      ssoTokens: [],
      pecksCancelled: [],
      grantsRevoked: [],
    }
  }
  const retired = await retireAgents(tx, context, ducklingId, { id: { in: ids } })
  return {
    ids: retired.map(({ agentId }) => agentId),
    keys: retired.flatMap(({ keyIds }) => keyIds),
    ssoTokens: retired.flatMap((agent) => agent.ssoTokens),
    pecksCancelled: retired.flatMap((agent) => agent.cancelledPecks),
    grantsRevoked: retired.flatMap((agent) => agent.revokedGrants),
  }
}

interface RetiredKey {
  id: string
  agentId: string
}

/** Ends the handshakes, and the keys that were made after their agents: by a rotation. The owner can create new ones. */
async function retireKeys(tx: Tx, { now }: Context, removal: Removal): Promise<RetiredKey[]> {
  const { ducklingId } = removal
  await tx.run`
    DELETE FROM "Handshake" WHERE "agentId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId}) AND ${madeRow(removal)}`
  const keys = await tx.rows<RetiredKey>`
    SELECT "id", "agentId" FROM "BeakKey" WHERE "activeFor" IN (
      SELECT a."id" FROM "Agent" a WHERE a."ducklingId" = ${ducklingId} AND a."createdAt" < "BeakKey"."createdAt")
    AND ${madeRow(removal)} ORDER BY "id"`
  for (const { agentId } of keys) await retireKey(tx, agentId, now)
  return keys
}

/** Ends requests of the account itself and of agents with a retired key since that key, and permissions that the account gave. */
function removePecks(tx: Tx, context: Context, removal: Removal, keys: RetiredKey[]) {
  const { ducklingId, isMade, cause } = removal
  const byAccount = sql`"requesterAgentId" IS NULL AND ${isMade(Prisma.raw('"askedBySession"'), Prisma.raw('"createdAt"'))}`
  const byRetiredKey = sql`EXISTS (SELECT 1 FROM "BeakKey" k WHERE k."id" = ANY(${keys.map(({ id }) => id)}::text[])
    AND k."agentId" = "requesterAgentId" AND k."createdAt" <= "Peck"."createdAt")`
  const asked = sql`("requesterDucklingId" = ${ducklingId} AND (${byAccount} OR ${byRetiredKey}))`
  const byRule = sql`"ruleId" IN (SELECT r."id" FROM "Rule" r JOIN "RuleStatement" s ON s."id" = r."statementId"
    WHERE r."ducklingId" = ${ducklingId} AND ${signedRule(removal, 'r')})`
  const given = sql`("targetDucklingId" = ${ducklingId} AND (${decided(removal)} OR ${byRule}))`
  return endPecks(tx, context, { ducklingId, pending: asked, granted: sql`(${asked} OR ${given})`, cause })
}

/** Revokes the tokens of sessions, and those of these agents. */
async function revokeSsoTokens(
  tx: Tx,
  { now }: Context,
  removal: Removal,
  agentIds: string[],
): Promise<string[]> {
  const revoked = await tx.rows<{ id: string }>`
    UPDATE "SsoToken" SET "revokedAt" = ${now}::timestamptz
    WHERE "ducklingId" = ${removal.ducklingId} AND "spentAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz
      AND ("agentId" = ANY(${agentIds}::text[]) OR ("agentId" IS NULL AND ${madeRow(removal)}))
    RETURNING "id"`
  return revoked.map(({ id }) => id).sort()
}

/** Counts the history of askers again when it has approvals that are removed. */
async function forgetApprovals(tx: Tx, removal: Removal): Promise<void> {
  const { ducklingId } = removal
  const [{ exists } = { exists: false }] = await tx.rows<{ exists: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "Peck"
      WHERE "targetDucklingId" = ${ducklingId} AND "status" = 'approved' AND ${decided(removal)}) AS "exists"`
  if (exists) await recountHistory(tx, ducklingId, decided(removal))
}
