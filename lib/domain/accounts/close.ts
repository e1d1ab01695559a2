/**
 * Closing an account (contract D3): what rests on it comes down with it, in one transaction, and the answer names it all.
 *
 * The account and the end of its log are locked first. Whatever a command of this account did before that is seen here and
 * taken down; one that is still at work waits at the log, finds it ended, and is rolled back. So nothing is orphaned.
 */

import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { revokeActiveCertificate } from '@/lib/domain/certs/revoke'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { lockAccount } from '@/lib/domain/revocation/lock-account'
import { retireAgent } from '@/lib/domain/revocation/retire-agent'
import { allPecks, withdrawPecks } from '@/lib/domain/revocation/withdraw-pecks'
import { endSessions } from '@/lib/domain/sessions/end'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { lockEndpoints, removeEndpoints } from '@/lib/domain/webhooks/delete'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { endChain, record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { eraseAccount } from './erase'
import type { ClosedAccountInput, Touched } from './schema'

/** Closes the caller's account for good. Throws what `requireProof` does, or `session_invalid` when it was closed just now. */
export function closeAccount(context: DucklingContext<ProofFailure>): Promise<ClosedAccountInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const owner = await lockAccount(tx, caller.id, now)
    const touched = await takeDown(tx, context)
    await eraseAccount(tx, caller.id, owner, now)
    // Spec silent: an address that was never verified may be a stranger's, who is not written to.
    if (owner.verifiedEmail !== null)
      await enqueue(tx, now, 'letter', {
        to: owner.verifiedEmail,
        notice: 'account_closed',
        facts: { at: now.toISOString() },
      })
    await record(tx, context, 'duckling.closed', {
      targets: [{ type: 'duckling', id: caller.id }],
      metadata: touched,
    })
    await endChain(tx, caller.id)
    await enqueue(tx, now, 'erase_context', { duckling_id: caller.id })
    return { success: true, duckling_id: caller.id, closed_at: now, touched }
  })
}

/** Webhooks go first: an account that is being closed is not sent the story of it. */
async function takeDown(tx: Tx, context: DucklingContext): Promise<Touched> {
  const { caller } = context
  const webhooks = await deleteWebhooks(tx, context)
  const certificate = await revokeActiveCertificate(tx, context, caller.id, 'The account was closed.')
  const agents = await retireAgents(tx, context)
  const pecks = await withdrawPecks(tx, context, allPecks(caller.id))
  const sessions = await endSessions(tx, context, 'all', 'session.ended')
  const passkeys = await deletePasskeys(tx, context, { ducklingId: caller.id })
  return {
    certificates: certificate === null ? [] : [certificate.id],
    agents: agents.map(({ agentId }) => agentId),
    keys: agents.flatMap(({ keyIds }) => keyIds),
    sessions,
    passkeys: passkeys.map(({ id }) => id),
    pecks_cancelled: [...agents.flatMap((agent) => agent.cancelledPecks), ...pecks.cancelledPecks],
    grants_revoked: [...agents.flatMap((agent) => agent.revokedGrants), ...pecks.revokedGrants],
    sso_tokens: [...agents.flatMap(({ ssoTokens }) => ssoTokens), ...(await revokeSsoTokens(tx, context))],
    webhooks,
  }
}

async function retireAgents(tx: Tx, context: DucklingContext) {
  const agents = await tx.agent.findMany({
    where: { ducklingId: context.caller.id, status: { in: liveStatuses } },
    orderBy: { id: 'asc' },
    select: { id: true, ducklingId: true },
  })
  const retired = []
  for (const agent of agents) retired.push(await retireAgent(tx, context, agent))
  return retired
}

/** Those of agents went with their agents. */
async function revokeSsoTokens(tx: Tx, { caller, now }: DucklingContext): Promise<string[]> {
  const revoked = await tx.ssoToken.updateManyAndReturn({
    where: { ducklingId: caller.id, spentAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { id: true },
  })
  return revoked.map(({ id }) => id).sort()
}

/** Deletes the endpoints with their messages, deliveries and attempts. A delivery on its way finds nothing to write to. */
async function deleteWebhooks(tx: Tx, context: DucklingContext): Promise<string[]> {
  const ducklingId = context.caller.id
  const ids = await lockEndpoints(tx, { ducklingId })
  await tx.$executeRaw`
    DELETE FROM "WebhookMessage" WHERE "id" IN (SELECT "messageId" FROM "WebhookDelivery" WHERE "endpointId" = ANY(${ids}::text[]))`
  await removeEndpoints(tx, ids)
  // Those in flight too.
  await tx.outbox.deleteMany({ where: { endpointId: { in: ids } } })
  await tx.webhookQueue.deleteMany({ where: { ducklingId } })
  if (ids.length > 0)
    await record(tx, context, 'webhook.disabled', {
      targets: ids.map((id) => ({ type: 'webhook', id })),
      metadata: { reason: 'account_closed' },
    })
  return ids
}
