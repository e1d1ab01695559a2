/** Removes what sessions other than the proving one have set up in an account. Called by the first proof of its address only. */

import { Prisma, type Tx } from '@/lib/db/client'
import { retireKey } from '@/lib/domain/agents/make-key'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { deviceIds, removeDevices } from '@/lib/domain/sessions/devices'
import { endSessions } from '@/lib/domain/sessions/end'
import { lockEndpoints, removeEndpoints } from '@/lib/domain/webhooks/delete'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record, stopOtherSessions } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { retireAgent } from './retire-agent'
import { withdrawPecks } from './withdraw-pecks'

/** What was removed: ids by kind. Sessions are not among them: their end has an event of its own. */
interface Removed {
  agents: string[]
  keys: string[]
  passkeys: string[]
  webhooks: string[]
  sso_tokens: string[]
  device_tokens: string[]
  pecks_cancelled: string[]
  grants_revoked: string[]
}

/**
 * Ends all other sessions and removes every password, passkey, agent, key, handshake, webhook, token, setting, peck and permission
 * that the caller's session did not make. Ending the sessions comes first: it waits for their commands that are at work, and
 * stops later ones. Records `account.reclaimed` and mails the owner when anything was removed.
 */
export async function reclaimAccount(tx: Tx, context: DucklingContext): Promise<void> {
  const { caller, now } = context
  await endSessions(tx, context, { allBut: caller.sessionId }, 'session.revoked')
  await stopOtherSessions(tx, context)
  const webhooks = await deleteWebhooks(tx, context)
  const agents = await retireAgents(tx, context)
  const keys = await retireKeys(tx, context)
  const pecks = await withdrawForeignPecks(tx, context)
  const removed: Removed = {
    agents: agents.map(({ agentId }) => agentId),
    keys: [...agents.flatMap(({ keyIds }) => keyIds), ...keys],
    passkeys: await deleteForeignPasskeys(tx, context),
    webhooks,
    sso_tokens: [...agents.flatMap(({ ssoTokens }) => ssoTokens), ...(await revokeSsoTokens(tx, context))],
    device_tokens: await forgetDevices(tx, context),
    pecks_cancelled: [...agents.flatMap((agent) => agent.cancelledPecks), ...pecks.cancelledPecks],
    grants_revoked: [...agents.flatMap((agent) => agent.revokedGrants), ...pecks.revokedGrants],
  }
  const resets = await resetSettings(tx, context)
  await resetCodes(tx, context)
  if (!resets.password && !resets.settings && Object.values(removed).every((ids) => ids.length === 0)) return
  await record(tx, context, 'account.reclaimed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { ...removed, ...resets },
  })
  await enqueueNotice(tx, now, caller.id, 'account_reclaimed', { at: now.toISOString() })
}

/** Rows whose maker is not the caller's session; rows without a known maker count as another's. */
const foreign = ({ caller }: DucklingContext) => ({
  ducklingId: caller.id,
  OR: [{ sessionId: null }, { sessionId: { not: caller.sessionId } }],
})

async function retireAgents(tx: Tx, context: DucklingContext) {
  const agents = await tx.agent.findMany({
    where: { ...foreign(context), status: { in: liveStatuses } },
    orderBy: { id: 'asc' },
    select: { id: true, ducklingId: true },
  })
  const retired = []
  for (const agent of agents) retired.push(await retireAgent(tx, context, agent))
  return retired
}

/** Keys and handshakes that another session made for agents that stay. Their owner makes new ones. */
async function retireKeys(tx: Tx, { caller, now }: DucklingContext): Promise<string[]> {
  const mine = { agent: { ducklingId: caller.id }, sessionId: { not: caller.sessionId } }
  await tx.handshake.deleteMany({ where: mine })
  const keys = await tx.beakKey.findMany({
    where: { ...mine, activeFor: { not: null } },
    orderBy: { id: 'asc' },
    select: { agentId: true },
  })
  const retired = []
  for (const { agentId } of keys) retired.push(await retireKey(tx, agentId, now))
  return retired.filter((id) => id !== null)
}

async function deleteForeignPasskeys(tx: Tx, context: DucklingContext): Promise<string[]> {
  const { id, sessionId } = context.caller
  const where = Prisma.sql`"sessionId" IS DISTINCT FROM ${sessionId}`
  const deleted = await deletePasskeys(tx, context, { ducklingId: id, where })
  return deleted.map((passkey) => passkey.id)
}

async function forgetDevices(tx: Tx, { caller }: DucklingContext): Promise<string[]> {
  const ids = await deviceIds(tx, { ducklingId: caller.id, sessionId: { not: caller.sessionId } })
  await removeDevices(tx, { id: { in: ids } })
  return ids
}

async function deleteWebhooks(tx: Tx, context: DucklingContext): Promise<string[]> {
  const ids = await lockEndpoints(tx, foreign(context))
  await removeEndpoints(tx, ids)
  if (ids.length > 0)
    await record(tx, context, 'webhook.deleted', { targets: ids.map((id) => ({ type: 'webhook', id })) })
  return ids
}

/** Those of agents went with their agents. */
async function revokeSsoTokens(tx: Tx, context: DucklingContext): Promise<string[]> {
  const { now } = context
  const revoked = await tx.ssoToken.updateManyAndReturn({
    where: {
      ...foreign(context),
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

function withdrawForeignPecks(tx: Tx, context: DucklingContext) {
  const { id, sessionId } = context.caller
  const asked = Prisma.sql`("requesterDucklingId" = ${id} AND "requesterAgentId" IS NULL AND "askedBySession" IS DISTINCT FROM ${sessionId})`
  const given = Prisma.sql`("targetDucklingId" = ${id} AND "decidedBySession" IS DISTINCT FROM ${sessionId})`
  return withdrawPecks(tx, context, {
    pending: asked,
    granted: Prisma.sql`(${asked} OR ${given})`,
    cause: 'account_reclaimed',
  })
}

/**
 * Takes back the password of a sign-up by another session, and the settings, blocks and name pause that another session caused.
 * Spec silent: the display name stays, because an account must have one; its owner may change it at once. The referral stays too:
 * it gives nobody access.
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
  if (settings) await tx.peckBlock.deleteMany({ where: { ducklingId: id } })
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

/** Forgets the wrong tries that others may have caused, and kills the codes on their way to other addresses. */
async function resetCodes(tx: Tx, { caller, now }: DucklingContext): Promise<void> {
  await tx.otpGuard.deleteMany({
    where: { subject: caller.id, purpose: { in: ['verify_email', 'email_change', 'phone', 'password'] } },
  })
  await revokeCodes(tx, caller.id, 'email_change', now)
}
