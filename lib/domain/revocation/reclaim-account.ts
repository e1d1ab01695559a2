/** Removes what other sessions than the proving one have made in an account. Called only by the first proof of its address. */
import { Prisma, type Tx } from '@/lib/db/client'
import { retireKey } from '@/lib/domain/agents/make-key'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { resetNotifications } from '@/lib/domain/notifications/update'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { recountHistory } from '@/lib/domain/pecks/asker-history'
import { showAllHidden } from '@/lib/domain/pecks/blocks/hidden-pecks'
import { removeDevices } from '@/lib/domain/sessions/devices'
import { endSessions } from '@/lib/domain/sessions/end'
import { lockEndpoints, removeEndpoints } from '@/lib/domain/webhooks/delete'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record, stopOtherSessions } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { endPecks } from './end-pecks'
import { retireAgents } from './retire-agent'

/** Ids of what was removed, by kind. The end of the sessions has its own event. */
interface Removed {
  agents: string[]
  keys: string[]
  passkeys: string[]
  webhooks: string[]
  sso_tokens: string[]
  device_tokens: string[]
  pecks_cancelled: string[]
  grants_revoked: string[]
  /** Ids of the pecks whose receipts were public. */
  shared_receipts: string[]
  /** Pecks that blocks had hidden. They are in the inbox again. */
  pecks_shown: string[]
}

/**
 * Ends all other sessions and removes every password, passkey, agent, key, handshake, webhook, token, setting, peck and permission
 * that the caller's session did not make, and what such approvals added to the history of askers. Ends the sessions first: this waits for their running commands and stops later ones.
 * Records `account.reclaimed` and mails the owner when anything was removed.
 */
export async function reclaimAccount(tx: Tx, context: DucklingContext): Promise<void> {
  const { caller, now } = context
  await endSessions(tx, context, { allBut: caller.sessionId }, 'session.revoked')
  await stopOtherSessions(tx, context)
  const webhooks = await deleteWebhooksOfOthers(tx, context)
  const agents = await retireAgents(tx, context, byOtherSessions(context))
  const keys = await retireKeysOfOthers(tx, context)
  const pecks = await endPecksOfOthers(tx, context)
  const resets = await resetSettings(tx, context)
  const removed: Removed = {
    agents: agents.map(({ agentId }) => agentId),
    keys: [...agents.flatMap(({ keyIds }) => keyIds), ...keys],
    passkeys: await deletePasskeysOfOthers(tx, context),
    webhooks,
    sso_tokens: [
      ...agents.flatMap(({ ssoTokens }) => ssoTokens),
      ...(await revokeSsoTokensOfOthers(tx, context)),
    ],
    device_tokens: await deleteDevicesOfOthers(tx, context),
    pecks_cancelled: [...agents.flatMap((agent) => agent.cancelledPecks), ...pecks.cancelledPecks],
    grants_revoked: [...agents.flatMap((agent) => agent.revokedGrants), ...pecks.revokedGrants],
    shared_receipts: await unshareReceiptsOfOthers(tx, context),
    pecks_shown: resets.settings ? await removeBlocks(tx, context) : [],
  }
  await recountHistory(tx, caller.id, caller.sessionId)
  await resetCodes(tx, context)
  if (!resets.password && !resets.settings && Object.values(removed).every((ids) => ids.length === 0)) return
  record(tx, context, 'account.reclaimed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { ...removed, ...resets },
  })
  enqueueNotice(tx, now, caller.id, 'account_reclaimed', { at: now.toISOString() })
}

/** Selects rows that another session than the caller's has made. Rows without a known session count as made by another one. */
const byOtherSessions = ({ caller }: DucklingContext) => ({
  ducklingId: caller.id,
  OR: [{ sessionId: null }, { sessionId: { not: caller.sessionId } }],
})

/** Ends keys and handshakes that another session made for agents that stay. The owner can create new ones. */
async function retireKeysOfOthers(tx: Tx, { caller, now }: DucklingContext): Promise<string[]> {
  const keyOfOthers = { agent: { ducklingId: caller.id }, sessionId: { not: caller.sessionId } }
  await tx.handshake.deleteMany({ where: keyOfOthers })
  const keys = await tx.beakKey.findMany({
    where: { ...keyOfOthers, activeFor: { not: null } },
    orderBy: { id: 'asc' },
    select: { agentId: true },
  })
  const retired = []
  for (const { agentId } of keys) retired.push(await retireKey(tx, agentId, now))
  return retired.filter((id) => id !== null)
}

async function deletePasskeysOfOthers(tx: Tx, context: DucklingContext): Promise<string[]> {
  const { id, sessionId } = context.caller
  const where = Prisma.sql`"sessionId" IS DISTINCT FROM ${sessionId}`
  const deleted = await deletePasskeys(tx, context, { ducklingId: id, where })
  return deleted.map((passkey) => passkey.id)
}

function deleteDevicesOfOthers(tx: Tx, { caller }: DucklingContext): Promise<string[]> {
  return removeDevices(tx, Prisma.sql`"ducklingId" = ${caller.id} AND "sessionId" <> ${caller.sessionId}`)
}

async function deleteWebhooksOfOthers(tx: Tx, context: DucklingContext): Promise<string[]> {
  const ids = await lockEndpoints(tx, byOtherSessions(context))
  await removeEndpoints(tx, ids)
  if (ids.length > 0)
    record(tx, context, 'webhook.deleted', { targets: ids.map((id) => ({ type: 'webhook', id })) })
  return ids
}

/** Tokens of agents have already ended with their agents. */
async function revokeSsoTokensOfOthers(tx: Tx, context: DucklingContext): Promise<string[]> {
  const { now } = context
  const revoked = await tx.ssoToken.updateManyAndReturn({
    where: {
      ...byOtherSessions(context),
      agentId: null,
      spentAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    data: { revokedAt: now },
    select: { id: true },
  })
  return revoked.map(({ id }) => id).sort()
}

function endPecksOfOthers(tx: Tx, context: DucklingContext) {
  const { id, sessionId } = context.caller
  const asked = Prisma.sql`("requesterDucklingId" = ${id} AND "requesterAgentId" IS NULL AND "askedBySession" IS DISTINCT FROM ${sessionId})`
  const given = Prisma.sql`("targetDucklingId" = ${id} AND "decidedBySession" IS DISTINCT FROM ${sessionId})`
  return endPecks(tx, context, {
    pending: asked,
    granted: Prisma.sql`(${asked} OR ${given})`,
    cause: 'account_reclaimed',
  })
}

/**
 * Makes all receipts private. A link does not say which session shared the receipt, so links stay only when the account has
 * had no other session (contract F, First proof of an address). The owner can share a receipt again.
 */
async function unshareReceiptsOfOthers(tx: Tx, { caller }: DucklingContext): Promise<string[]> {
  const { id, sessionId } = caller
  const unshared = await tx.rows<{ peckId: string }>`
    DELETE FROM "SharedReceipt" WHERE "ducklingId" = ${id} AND (
      EXISTS (SELECT 1 FROM "Session" WHERE "ducklingId" = ${id} AND "id" <> ${sessionId})
      OR EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = ${id} AND "signupSessionId" IS DISTINCT FROM ${sessionId}))
    RETURNING "peckId"`
  return unshared.map(({ peckId }) => peckId).sort()
}

/** Removes all blocks. Returns the pecks that they had hidden and that still wait. */
async function removeBlocks(tx: Tx, { caller, now }: DucklingContext): Promise<string[]> {
  await tx.peckBlock.deleteMany({ where: { ducklingId: caller.id } })
  return showAllHidden(tx, caller.id, now)
}

/**
 * Removes the password when another session signed up, and resets the settings and the name pause when another session
 * changed them. The display name stays (contract G), because an account must have one, and the owner may change it at once. The
 * referral stays too, because it gives nobody access.
 */
async function resetSettings(
  tx: Tx,
  { caller }: DucklingContext,
): Promise<{ password: boolean; settings: boolean }> {
  const { id, sessionId } = caller
  const { passwordHash, signupSessionId, settingsSessionIds } = await tx.duckling.findUniqueOrThrow({
    where: { id },
    select: { passwordHash: true, signupSessionId: true, settingsSessionIds: true },
  })
  const isOwnSignUp = signupSessionId === sessionId
  const settings = settingsSessionIds.some((changedBy) => changedBy !== sessionId)
  if (settings) await resetNotifications(tx, id)
  await tx.duckling.update({
    where: { id },
    data: {
      settingsSessionIds: [],
      ...(isOwnSignUp ? {} : { passwordHash: null }),
      ...(settings
        ? {
            bio: null,
            directoryVisible: true,
            requirePasskeyForPecks: false,
            minPeckTier: 'T1',
            nextNameChangeAt: null,
          }
        : {}),
    },
  })
  return { password: !isOwnSignUp && passwordHash !== null, settings }
}

/** Deletes the counts of wrong codes and passwords, and voids the codes that were sent to other addresses. */
async function resetCodes(tx: Tx, { caller, now }: DucklingContext): Promise<void> {
  await tx.otpGuard.deleteMany({
    where: { subject: caller.id, purpose: { in: ['verify_email', 'email_change', 'phone', 'password'] } },
  })
  await revokeCodes(tx, caller.id, 'email_change', now)
}
