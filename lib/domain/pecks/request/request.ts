/**
 * Requests permission (contract B). The limits against fatigue (asking until the target gives in) count an operator together
 * with all its agents (contract F, Askers). They are checked under a lock of operator and target, so simultaneous requests
 * cannot exceed them.
 */
import type { Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { lockBondedAgent } from '@/lib/domain/agents/read'
import { resolveDuckling } from '@/lib/domain/handles/holder'
import { finishRejection } from '@/lib/domain/pecks/decide/held-rejections'
import { expirePeck } from '@/lib/domain/pecks/expire'
import { type AskerStanding, announcePeck } from '@/lib/domain/pecks/mail/announce'
import { recordPeck } from '@/lib/domain/pecks/record'
import { riskOf } from '@/lib/domain/pecks/risk/rules'
import { changePeck, lockPeck, type PeckRow } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { tokenTaking } from '@/lib/infrastructure/budgets/budget'
import { secondsUntil, withCurrentTime } from '@/lib/kernel/clock'
import type { OperatorContext } from '@/lib/kernel/context'
import { isTestAccount } from '@/lib/kernel/test-service'
import { reaches } from '@/lib/kernel/tier'
import { addAsked, askerFacts, namedAsker } from '../asker-history'
import { nextAskAt, spendAsk } from './ask-budget'
import { pauseOf } from './asking-pause'
import { insertPeck, type NewPeck, newPeck, type PeckRequestInput } from './new-peck'
import { pairLock } from './pair-lock'
import { type RequestFacts, readRequestFacts } from './request-facts'

/** The most requests of an operator and all its agents that wait for one target. A person may get more from their own agents. */
const pendingMax = { others: 10, own: 50 }

type TierFailure = 'tier_too_low' | 'target_tier_too_low'
type FatigueFailure = 'peck_recently_rejected' | 'asker_paused' | 'too_many_pending_pecks' | 'too_many_pecks'

/**
 * Asks the target, whom an id or a handle names, for permission. Returns the existing peck with `repeated` when an identical request is
 * pending. Throws `peck_to_self`, `duckling_not_found`, `tier_too_low`, `target_tier_too_low`, `agent_not_bonded`, `peck_recently_rejected`, `asker_paused`,
 * `too_many_pending_pecks` or `too_many_pecks`. The answer does not reveal whether the target has blocked the asker.
 */
export async function requestPeck(
  context: OperatorContext<
    'peck_to_self' | 'duckling_not_found' | 'agent_not_bonded' | TierFailure | FatigueFailure
  >,
  given: PeckRequestInput,
): Promise<PeckInput> {
  const { caller, now } = context
  const targetDucklingId = await resolveDuckling(context, given.targetDucklingId, 'duckling_not_found')
  const input = { ...given, targetDucklingId }
  if (caller.type === 'duckling' && caller.id === input.targetDucklingId)
    throw context.fail('peck_to_self', {
      errors: [{ field: 'target_duckling_id', message: 'must not be your own' }],
    })
  const request = newPeck(caller, input, now)
  return transaction(async (tx) => {
    // Sent together. The database runs them in this order, so the facts are read under the locks.
    const [agentName, , facts] = await Promise.all([
      caller.type === 'agent' ? lockBondedAgent(tx, context, caller.agentId) : null,
      lockName(tx, pairLock(request.requesterDucklingId, request.targetDucklingId)),
      readRequestFacts(tx, request, now),
    ])
    if (facts === null) throw context.fail('duckling_not_found')
    checkTiers(context, request, facts)
    const pending = await findPending(tx, context, facts.identicalId)
    if (pending !== null) {
      const peck = await repeatPeck(tx, context, pending, facts)
      return { ...presentPeck(peck, now), repeated: true as const }
    }
    checkFatigue(context, request, facts)
    const standing = await standingOf(tx, request, facts, now)
    const risk = riskOf({
      ...input,
      history: askerFacts(facts, namedAsker({ ...request, ...facts, agentName }), now),
    })
    const peck = insertPeck(tx, request, { ...facts, agentName, risk, stranger: standing === 'waiting' })
    if (!peck.blocked) addAsked(tx, peck, now)
    spendAsk(tx, request, now)
    recordPeck(tx, context, 'peck.sent', peck)
    announcePeck(tx, peck, facts, now, standing)
    return presentPeck(peck, now)
  })
}

function checkTiers(
  context: OperatorContext<TierFailure>,
  request: NewPeck,
  { targetTier, minPeckTier }: RequestFacts,
): void {
  const { caller } = context
  if (!reaches(caller.tier, minPeckTier))
    throw context.fail('tier_too_low', { required_tier: minPeckTier, current_tier: caller.tier })
  if (request.scope === 'standing' && !reaches(targetTier, 'T2'))
    throw context.fail('target_tier_too_low', { required_tier: 'T2', current_tier: targetTier })
}

function checkFatigue(
  context: OperatorContext<FatigueFailure>,
  request: NewPeck,
  { rejections, pendingCount, pendingUntil, ...budget }: RequestFacts,
): void {
  if (isTestAccount(request.targetDucklingId)) return
  const { now } = context
  const refuse = (failure: FatigueFailure, until: Date) =>
    context.fail(failure, { retry_after: secondsUntil(until, now) })
  const pause = pauseOf(rejections, request.action, now)
  if (pause !== null) throw refuse(pause.failure, pause.until)
  const isOwn = request.requesterDucklingId === request.targetDucklingId
  if (pendingCount >= pendingMax[isOwn ? 'own' : 'others'] && pendingUntil !== null)
    throw refuse('too_many_pending_pecks', pendingUntil)
  const nextAt = nextAskAt(request, budget, now)
  if (nextAt !== null) throw refuse('too_many_pecks', nextAt)
}

/**
 * Returns what the target makes of the asker (contract F, Askers): `known` when something of it was approved, or when it is the person's own
 * agent; `stranger` within the budget of the target for strangers; `waiting` beyond it.
 */
async function standingOf(
  tx: Tx,
  { requesterDucklingId, targetDucklingId }: NewPeck,
  { knowsAsker, isBlocked }: RequestFacts,
  now: Date,
): Promise<AskerStanding> {
  if (knowsAsker || isBlocked || requesterDucklingId === targetDucklingId) return 'known'
  // A statement of its own, because the peck depends on its outcome. Only strangers who ask the same person wait for each other.
  const taken = await tx.run`${tokenTaking('strangers', targetDucklingId, now)}`
  return taken === 1 ? 'stranger' : 'waiting'
}

/** Returns the identical peck when it is still pending. Else writes how it ended by the clock, so that a new one can follow. */
async function findPending(
  tx: Tx,
  context: OperatorContext,
  identicalId: string | null,
): Promise<PeckRow | null> {
  const peck = identicalId === null ? null : await lockPeck(tx, identicalId)
  const { now } = withCurrentTime(context)
  if (peck === null || statusOf(peck, now) === 'pending') return peck
  finishRejection(tx, peck, now)
  await expirePeck(tx, peck.id, now)
  return null
}

/** Returns the pending peck. When the target has unblocked the asker since, the repeated request makes it visible to the target. */
async function repeatPeck(
  tx: Tx,
  context: OperatorContext,
  pending: PeckRow,
  facts: RequestFacts,
): Promise<PeckRow> {
  if (!pending.blocked || facts.isBlocked) return pending
  const peck = changePeck(tx, pending, { blocked: false })
  addAsked(tx, peck, context.now)
  recordPeck(tx, context, 'peck.sent', peck, { concerning: [peck.targetDucklingId] })
  announcePeck(tx, peck, facts, context.now, 'known')
  return peck
}
