import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { endInvitations } from '@/lib/domain/invitations/create'
import { recountHistory } from '@/lib/domain/pecks/asker-history'
import { showAllHidden, showHidden } from '@/lib/domain/pecks/blocks/block'
import { eraseContacts, forgetAlways } from '@/lib/domain/pecks/contacts/contacts'
import { finishFinal } from '@/lib/domain/pecks/decide/held-rejections'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'
import { deleteReceiptsAbout } from '@/lib/domain/pecks/receipts/share'
import { recordPeck, sidesOf } from '@/lib/domain/pecks/record'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isChangeableAt } from '@/lib/domain/pecks/state'
import { endRules, eraseRules, forbidding, ownRules, pauseRules, rulesOf } from '@/lib/domain/rules/end-rules'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import type { EndCause } from '@/lib/infrastructure/events/kinds/peck-data'
import type { Actor } from '@/lib/infrastructure/events/record'
import type { Context } from '@/lib/kernel/request/context'
import { settingsOfOthers } from './take-settings'
import { type Ended, holds, idsOf, madeRow, type Taking } from './taking'

const sideOf = (id: string) => Prisma.sql`("requesterDucklingId" = ${id} OR "targetDucklingId" = ${id})`

/** Returns the condition for the pecks of an account that a command may end, and those whose rejection is not written yet. */
export function isUnfinishedPeckOf(ducklingId: string, now: Date): Prisma.Sql {
  return Prisma.sql`${sideOf(ducklingId)} AND ("status" = 'pending' OR ${isActiveGrant(now)})`
}

/** Which of an account's pecks end, and why. */
interface PecksToEnd {
  ducklingId: string
  /** Condition for the pending pecks that are cancelled. */
  pending: Prisma.Sql
  /** Condition for the active grants that are revoked. */
  granted: Prisma.Sql
  cause: Extract<EndCause, 'account_closed' | 'account_reclaimed' | 'email_restored'>
}

/** Selects all pecks that the account sent or received: they end when the account is closed. */
export function allPecksOf(ducklingId: string): PecksToEnd {
  return { ducklingId, pending: sideOf(ducklingId), granted: sideOf(ducklingId), cause: 'account_closed' }
}

/**
 * Cancels pending pecks of an account, revokes active grants, and records it for the other side of each. The account must be locked, and the
 * time be read afterwards. A pending peck whose time is up is not cancelled, because it counts as expired, nor one whose rejection can no
 * longer be undone. A peck of a blocked asker is cancelled like any other. If it stayed
 * pending, the asker would notice the block. The account is not told about it, and the returned ids leave it out.
 */
export async function endPecks(
  tx: Tx,
  context: Context,
  { ducklingId, pending, granted, cause }: PecksToEnd,
): Promise<Pick<Ended, 'pecks_cancelled' | 'grants_revoked'>> {
  const { now } = context
  const cancelled = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "status" = 'cancelled', "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz,
        "snoozedUntil" = NULL, "rejectAt" = NULL, "heldRejection" = NULL
      WHERE ${pending} AND ${isChangeableAt(now)} RETURNING *`,
  )
  const revoked = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
      WHERE ${granted} AND ${isActiveGrant(now)} RETURNING *`,
  )
  // The undo of a change of address has no caller. Its network and device belong into no log of others.
  const unsigned: Context = { ...context, ip: null, userAgent: null, requestId: null }
  for (const peck of cancelled) recordForOther(tx, unsigned, 'peck.cancelled', peck, { ducklingId, cause })
  for (const peck of revoked) {
    const metadata = enqueueRevocation(tx, peck, now)
    recordForOther(tx, unsigned, 'peck.revoked', peck, { ducklingId, cause, metadata })
  }
  return {
    pecks_cancelled: idsVisibleTo(ducklingId, cancelled),
    grants_revoked: idsVisibleTo(ducklingId, revoked),
  }
}

/** The account's own log has one event for all of them: that of the cause. */
function recordForOther(
  tx: Tx,
  context: Context,
  kind: 'peck.cancelled' | 'peck.revoked',
  peck: PeckRow,
  { ducklingId, ...details }: { ducklingId: string; cause: EndCause; metadata?: Record<string, string> },
): void {
  const actor: Actor = { type: 'duckling', id: ducklingId }
  const concerning = sidesOf(peck).filter((id) => id !== ducklingId)
  if (concerning.length > 0) recordPeck(tx, context, kind, peck, { actor, concerning, ...details })
}

/** The lists of the account show every peck except those that a block hides from their target. */
function idsVisibleTo(ducklingId: string, pecks: PeckRow[]): string[] {
  const visible = pecks.filter(
    ({ blocked, requesterDucklingId }) => !blocked || requesterDucklingId === ducklingId,
  )
  return visible.map(({ id }) => id)
}

/** Takes away requests, permissions, rules, and what was noted about askers. */

const decided = ({ isMade }: Taking): Sql =>
  isMade(Prisma.raw('"decidedBySession"'), Prisma.raw('"decidedAt"'))

/** Selects the signatures `s` of the rule `rule` that count as made: also that of an older rule, which allows more since. */
const signedRule = ({ isMade }: Taking, rule: '"Rule"' | 'r'): Sql =>
  isMade(Prisma.raw(`${rule}."sessionId"`), Prisma.raw('s."createdAt"'))

/** Ends requests of the account itself and of agents with a retired key since that key, and permissions that the account gave. */
export async function takePecks(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId, isMade, ended } = taking
  if (occasion === 'close') return endAllPecks(tx, taking)
  const byAccount = sql`"requesterAgentId" IS NULL AND ${isMade(Prisma.raw('"askedBySession"'), Prisma.raw('"createdAt"'))}`
  const byRetiredKey = sql`EXISTS (SELECT 1 FROM "BeakKey" k WHERE k."id" = ANY(${ended.keys}::text[])
    AND k."agentId" = "requesterAgentId" AND k."createdAt" <= "Peck"."createdAt")`
  const asked = sql`("requesterDucklingId" = ${ducklingId} AND (${byAccount} OR ${byRetiredKey}))`
  const byRule = sql`"ruleId" IN (SELECT r."id" FROM "Rule" r JOIN "RuleStatement" s ON s."id" = r."statementId"
    WHERE r."ducklingId" = ${ducklingId} AND ${signedRule(taking, 'r')})`
  const given = sql`("targetDucklingId" = ${ducklingId} AND (${decided(taking)} OR ${byRule}))`
  const cause = occasion === 'undo' ? 'email_restored' : 'account_reclaimed'
  const granted = sql`(${asked} OR ${given})`
  const taken = await endPecks(tx, context, { ducklingId, pending: asked, granted, cause })
  await endReadTokens(tx, taking)
  return taken
}

/**
 * Deletes the tokens of the other permissions that an ended session or a removed key could read. The permissions stay: whoever asked for one reads
 * a new token. At the first proof, tokens stay when the account has had no other session.
 */
async function endReadTokens(tx: Tx, taking: Taking): Promise<void> {
  const { occasion, context, ducklingId, ended } = taking
  const byEndedSession = sql`("requesterAgentId" IS NULL AND ${occasion === 'undo' ? sql`true` : hadOthers(taking)})`
  const byRetiredKey = sql`"requesterAgentId" IN (SELECT "agentId" FROM "BeakKey" WHERE "id" = ANY(${ended.keys}::text[]))`
  await tx.run`
    DELETE FROM "GrantToken" WHERE "peckId" IN (SELECT "id" FROM "Peck"
      WHERE "requesterDucklingId" = ${ducklingId} AND (${byEndedSession} OR ${byRetiredKey}) AND ${isActiveGrant(context.now, 'sent')})`
}

/** Tells whether the account has had another session than the one that stays. Sessions may be deleted a while after their end. */
const hadOthers = ({ ducklingId, sessionId }: Taking): Sql => sql`(
  EXISTS (SELECT 1 FROM "Session" WHERE "ducklingId" = ${ducklingId} AND "id" <> ${sessionId})
  OR EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = ${ducklingId} AND "signupSessionId" IS DISTINCT FROM ${sessionId}))`

/** Writes the rejections that can no longer be undone, ends all pecks, and forgets the addresses and devices of the other rejections. */
async function endAllPecks(tx: Tx, { context, ducklingId }: Taking) {
  await finishFinal(tx, ducklingId, context.now)
  const ended = await endPecks(tx, context, allPecksOf(ducklingId))
  await tx.run`
    UPDATE "Peck" SET "rejectAt" = NULL, "heldRejection" = NULL
    WHERE "targetDucklingId" = ${ducklingId} AND "rejectAt" IS NOT NULL`
  return ended
}

/** Counts the history of askers again when it has approvals that are taken. */
export async function takeHistory(tx: Tx, taking: Taking) {
  const { occasion, ducklingId: targetDucklingId } = taking
  if (occasion === 'close') {
    await tx.askerHistory.deleteMany({ where: { targetDucklingId } })
    return {}
  }
  const [{ exists } = { exists: false }] = await tx.rows<{ exists: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "Peck"
      WHERE "targetDucklingId" = ${targetDucklingId} AND "status" = 'approved' AND ${decided(taking)}) AS "exists"`
  if (exists) await recountHistory(tx, targetDucklingId, decided(taking))
  return {}
}

/**
 * Ends the rules that were signed. When the owner can keep single things, one that rejects or asks is only paused: it may be an earlier one of
 * the owner, and the owner is asked what it says. Closing also ends the rules of others for the account.
 */
export async function takeRules(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  if (occasion === 'close') {
    const ended = await endRules(tx, context, { where: rulesOf(ducklingId), reason: 'account_closed' })
    await eraseRules(tx, ducklingId)
    return { rules: ownRules(ended, ducklingId) }
  }
  const isSigned = sql`EXISTS (
    SELECT 1 FROM "RuleStatement" s WHERE s."id" = "Rule"."statementId" AND ${signedRule(taking, '"Rule"')})`
  const isEnded = holds(taking) ? sql`NOT ${forbidding} AND ${isSigned}` : isSigned
  const reason = 'reclaimed'
  if (holds(taking))
    await pauseRules(tx, context, { ducklingId, where: sql`${forbidding} AND ${isSigned}`, reason })
  const ended = await endRules(tx, context, {
    where: sql`"ducklingId" = ${ducklingId} AND ${isEnded}`,
    reason,
  })
  return { rules: ownRules(ended, ducklingId) }
}

export async function takeInvitations(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  if (occasion !== 'close')
    return { invitations: await endInvitations(tx, ducklingId, madeRow(taking), context.now) }
  await tx.invitation.deleteMany({ where: { ducklingId } })
  return {}
}

export async function takeContacts(tx: Tx, { occasion, ducklingId, isMade }: Taking) {
  const always = isMade(Prisma.raw('"sessionId"'), Prisma.raw('"alwaysAt"'))
  if (occasion !== 'close') return { contacts: await forgetAlways(tx, ducklingId, always) }
  await eraseContacts(tx, ducklingId)
  return {}
}

/**
 * Makes receipts private. The owner can share them again. At the first proof, a link stays only when the account has had no other session: the
 * link may be older than the column with its session (contract F, First proof of an address).
 */
export async function takeReceipts(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  if (occasion === 'close') await deleteReceiptsAbout(tx, context, ducklingId)
  const isTaken = occasion === 'first_proof' ? hadOthers(taking) : madeRow(taking)
  const unshared = await tx.rows<{ id: string }>`
    DELETE FROM "SharedReceipt" WHERE "ducklingId" = ${ducklingId} AND ${isTaken} RETURNING "peckId" AS "id"`
  return { shared_receipts: idsOf(unshared) }
}

/** Removes blocks and shows the requests that they had hidden. At the first proof, all go when another session changed settings. */
export async function takeBlocks(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  if (occasion === 'first_proof') {
    if ((await settingsOfOthers(tx, taking)).length === 0) return {}
    await tx.peckBlock.deleteMany({ where: { ducklingId } })
    return { pecks_shown: await showAllHidden(tx, ducklingId, context.now) }
  }
  const removed = await tx.rows<{ id: string }>`
    DELETE FROM "PeckBlock" WHERE "ducklingId" = ${ducklingId} AND ${madeRow(taking)} RETURNING "blockedDucklingId" AS "id"`
  const blocks = idsOf(removed)
  if (occasion === 'undo') for (const id of blocks) await showHidden(tx, id, ducklingId, context.now)
  return { blocks }
}
