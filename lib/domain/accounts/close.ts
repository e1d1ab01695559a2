/**
 * Closes an account (contract D3): ends everything that belongs to it in one transaction and lists it in the answer.
 *
 * The account and its audit chain are locked first. What a command of this account committed before the lock is seen and ended
 * here. A command that still runs waits for the chain, finds it ended and is rolled back. So nothing is left behind.
 */
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { deleteApprover } from '@/lib/domain/approvers/remove'
import { revokeActiveCertificate } from '@/lib/domain/certs/revoke'
import { forgetHandles } from '@/lib/domain/identity/claim-handle'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { finishFinal } from '@/lib/domain/pecks/decide/held-rejections'
import { deleteReceiptsAbout } from '@/lib/domain/pecks/receipts/share'
import { allPecksOf, endPecks } from '@/lib/domain/revocation/end-pecks'
import { lockAccount } from '@/lib/domain/revocation/lock-account'
import { retireAgents } from '@/lib/domain/revocation/retire-agent'
import { endRules, ownRules, rulesOf } from '@/lib/domain/rules/end-rules'
import { endSessions } from '@/lib/domain/sessions/end'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { enqueueEnded } from '@/lib/domain/tlog/enqueue'
import { lockEndpoints, removeEndpoints } from '@/lib/domain/webhooks/delete'
import { warnReceiver } from '@/lib/domain/webhooks/warn'
import { enqueue, kindOfNotice } from '@/lib/infrastructure/events/outbox'
import { endChain, record } from '@/lib/infrastructure/events/record'
import { readReader } from '@/lib/infrastructure/mail/reader'
import { withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { eraseAccount } from './erase'
import type { ClosedAccountInput, Touched } from './schema'

/** Closes the caller's account. Throws the failures of `requireProof`, or `session_invalid` when it has just been closed. */
export function closeAccount(
  context: DucklingContext<ProofFailure | 'session_invalid'>,
): Promise<ClosedAccountInput> {
  return transaction(async (tx) => {
    await requireProof(tx, context)
    return close(tx, context, 'account_closed')
  })
}

/** Closes an account by a command of the host, which needs no proof. Throws `session_invalid` when it has just been closed. */
export function closeAccountByHost(context: DucklingContext<'session_invalid'>): Promise<ClosedAccountInput> {
  return transaction((tx) => close(tx, context, 'account_closed_by_host'))
}

/** Closes an account again that a backup brought back. Its owner was told when it was closed. Throws `session_invalid`, as above. */
export function closeAccountAgain(context: DucklingContext<'session_invalid'>): Promise<ClosedAccountInput> {
  return transaction((tx) => close(tx, context, null))
}

/** Ends everything and erases. `letter` is the mail to the owner. */
async function close(
  tx: Tx,
  given: DucklingContext<'session_invalid'>,
  letter: 'account_closed' | 'account_closed_by_host' | null,
): Promise<ClosedAccountInput> {
  const { caller } = given
  const owner = await lockAccount(tx, caller.id, given.now)
  if (owner === null) throw given.fail('session_invalid')
  const context = withCurrentTime(given)
  const { now } = context
  const reader = await readReader(tx, caller.id)
  const touched = await endEverything(tx, context)
  await deleteReceiptsAbout(tx, context)
  await forgetHandles(tx, caller.id, now)
  enqueueEnded(tx, { duckling_id: caller.id })
  await eraseAccount(tx, caller.id, owner, now)
  // An address that was never verified gets no mail, because it may belong to another person (contract F, First proof of an address).
  if (owner.verifiedEmail !== null && letter !== null)
    enqueue(tx, now, kindOfNotice('letter', letter), {
      to: owner.verifiedEmail,
      notice: letter,
      facts: { at: now.toISOString(), ...countsOf(touched) },
      reader,
    })
  record(tx, context, 'duckling.closed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: touched,
  })
  endChain(tx, caller.id)
  enqueue(tx, now, 'erase_context', { duckling_id: caller.id })
  return { success: true, duckling_id: caller.id, closed_at: now, touched }
}

/** Returns how many of each kind ended, as facts of the mail. */
const countsOf = (touched: Touched): Record<string, string> =>
  Object.fromEntries(Object.entries(touched).map(([kind, { length }]) => [kind, String(length)]))

/** Deletes webhooks first, so that they are not sent the events of the closing. */
async function endEverything(tx: Tx, context: DucklingContext): Promise<Touched> {
  const { caller } = context
  const webhooks = await deleteWebhooks(tx, context)
  const certificate = await revokeActiveCertificate(tx, context, caller.id, 'The account was closed.')
  const agents = await retireAgents(tx, context, caller.id)
  const rules = await endRules(tx, context, { where: rulesOf(caller.id), reason: 'account_closed' })
  await finishFinal(tx, caller.id, context.now)
  const pecks = await endPecks(tx, context, allPecksOf(caller.id))
  const sessions = await endSessions(tx, context, 'all', 'session.ended')
  const passkeys = await deletePasskeys(tx, context, { ducklingId: caller.id })
  await deleteApprover(tx, context, { ducklingId: caller.id })
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
    rules: [...agents.flatMap((agent) => agent.rules), ...ownRules(rules, caller.id)],
  }
}

/** Tokens of agents have already ended with their agents. */
async function revokeSsoTokens(tx: Tx, { caller, now }: DucklingContext): Promise<string[]> {
  const revoked = await tx.ssoToken.updateManyAndReturn({
    where: { ducklingId: caller.id, spentAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { id: true },
  })
  return revoked.map(({ id }) => id).sort()
}

/** Deletes the endpoints with their messages, deliveries and attempts. A delivery in flight finds no row to update. */
async function deleteWebhooks(tx: Tx, context: DucklingContext): Promise<string[]> {
  const ducklingId = context.caller.id
  for (const endpoint of await tx.webhookEndpoint.findMany({ where: { ducklingId } }))
    warnReceiver(tx, context, endpoint, 'deleted')
  const ids = await lockEndpoints(tx, { ducklingId })
  await tx.run`
    DELETE FROM "WebhookMessage" WHERE "id" IN (SELECT "messageId" FROM "WebhookDelivery" WHERE "endpointId" = ANY(${ids}::text[]))`
  await removeEndpoints(tx, ids)
  // Includes deliveries in flight.
  await tx.outbox.deleteMany({ where: { endpointId: { in: ids } } })
  await tx.webhookQueue.deleteMany({ where: { ducklingId } })
  if (ids.length > 0)
    record(tx, context, 'webhook.disabled', {
      targets: ids.map((id) => ({ type: 'webhook', id })),
      metadata: { reason: 'account_closed' },
    })
  return ids
}
