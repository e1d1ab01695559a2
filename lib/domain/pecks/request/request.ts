/**
 * Requests permission. The limits against fatigue (asking until the target gives in) count an operator together
 * with all its agents (contract F, Askers). They are checked under a lock of operator and target, so simultaneous requests
 * cannot exceed them.
 */

import { type Risk, riskOf } from '@beak/decision/risk/rules'
import { testAction } from '@beak/decision/test-request'
import type { Tx } from '@/lib/db/client'
import { flush, lockName, transaction, withCurrentTime } from '@/lib/db/transaction'
import { lockAgent, wrongState } from '@/lib/domain/agents/read'
import { findNamedDuckling } from '@/lib/domain/handles/holder'
import {
  type EndedFailure,
  type FoundInvitation,
  findInvitation,
  invitedTier,
  requireMatch,
  spendInvitation,
} from '@/lib/domain/invitations/create'
import { finishRejection } from '@/lib/domain/pecks/decide/held-rejections'
import { type AskerStanding, announcePeck } from '@/lib/domain/pecks/mail/announce'
import { type AskedPeck, type NewPeck, newPeck, preparePeck } from '@/lib/domain/pecks/new-peck'
import { expirePeck, recordPeck } from '@/lib/domain/pecks/record'
import { changePeck, insertPeck, lockPeck, type PeckRow } from '@/lib/domain/pecks/rows'
import { answerByRule } from '@/lib/domain/pecks/rules/answer'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { tokenTaking } from '@/lib/infrastructure/budgets/budget'
import { m } from '@/lib/kernel/messages'
import type { AgentCaller, DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { lowerTier, reaches } from '@/lib/kernel/request/tier'
import { hour, minute, secondsUntil } from '@/lib/kernel/runtime/clock'
import { isTestAccount } from '@/lib/kernel/service/test-service'
import { addAsked, askerFacts, namedAsker } from '../asker-history'
import { pauseOf } from './asking-pause'
import {
  lockAsker,
  nextAskAt,
  pairLock,
  type RequestFacts,
  readRequestFacts,
  spendAsk,
} from './request-facts'

/** The most requests of an operator and all its agents that wait for one target. A person may get more from their own agents. */
const pendingMax = { others: 10, own: 50 }

type TierFailure = 'tier_too_low' | 'target_tier_too_low'
type InvitationFailure = 'invitation_not_found' | 'invitation_mismatch' | EndedFailure
export const fatigueFailures = [
  'peck_recently_rejected',
  'asker_paused',
  'too_many_pending_pecks',
  'too_many_pecks',
] as const
type FatigueFailure = (typeof fatigueFailures)[number]

/**
 * Asks the target, whom an id, a handle or an invitation link names, for permission. Returns the existing peck with `repeated` when an
 * identical request is pending. Throws `peck_to_self`, `duckling_not_found`, `tier_too_low`, `target_tier_too_low`, `agent_not_bonded`, `asks_owner_only`,
 * `peck_recently_rejected`, `asker_paused`, `too_many_pending_pecks` or `too_many_pecks`, and for a link `invitation_not_found`,
 * `invitation_mismatch` or why it has ended. The answer does not reveal whether the target has blocked the asker.
 */
export async function requestPeck(
  context: OperatorContext<
    | 'peck_to_self'
    | 'duckling_not_found'
    | 'agent_not_bonded'
    | 'asks_owner_only'
    | InvitationFailure
    | TierFailure
    | FatigueFailure
  >,
  { invitationToken = null, ...given }: AskedPeck,
): Promise<PeckInput> {
  const { caller, now } = context
  const invitation = invitationToken === null ? null : await findInvitation(context, invitationToken)
  const targetDucklingId =
    invitation?.ducklingId ?? (await findNamedDuckling(caller, given.targetDucklingId, now))
  if (targetDucklingId === null) throw context.fail('duckling_not_found')
  const input = { ...given, targetDucklingId }
  if (caller.type === 'duckling' && caller.id === input.targetDucklingId)
    throw context.fail('peck_to_self', {
      errors: [{ field: 'target_duckling_id', message: m.field_must_not_be_your_own() }],
    })
  const request = newPeck(caller, input, now, invitation?.id)
  if (invitation !== null) requireMatch(context, invitation, request)
  return transaction(async (tx) => {
    // Sent together. The database runs them in this order, so the facts are read under the locks.
    const [agentName, facts] = await Promise.all([
      lockAsker(tx, context, request),
      readRequestFacts(tx, request, now),
    ])
    if (facts === null) throw context.fail('duckling_not_found')
    checkTiers(context, request, facts, invitation)
    const pending = await findPending(tx, context, facts.identicalId)
    if (pending !== null) {
      const peck = await repeatPeck(tx, context, pending, facts)
      return { ...presentPeck(peck, now), repeated: true as const }
    }
    checkFatigue(context, request, facts)
    if (invitation !== null) await spendInvitation(tx, context, invitation)
    const history = askerFacts(facts, namedAsker({ ...request, ...facts, agentName }), now)
    const isOwn = request.requesterDucklingId === request.targetDucklingId
    const risk = riskOf({ ...input, isOwn, history })
    const isImpostor = history.likeness !== null && history.likeness.rule !== 'other_agent'
    const standing = await standingOf(tx, request, { ...facts, isImpostor }, now)
    const prepared = preparePeck(request, { ...facts, agentName, risk, stranger: standing === 'waiting' })
    const answered = await answerByRule(tx, context, prepared, { ...facts, risk })
    const peck = answered?.peck ?? insertPeck(tx, prepared)
    // The approval of a rule has counted the request.
    if (!peck.blocked && answered?.grantToken === undefined) addAsked(tx, peck, now)
    spendAsk(tx, request, now)
    const presented = recordPeck(tx, context, 'peck.sent', peck)
    if (answered === null) announcePeck(tx, peck, facts, now, standing)
    else answered.recordAnswer()
    return answered?.grantToken === undefined ? presented : { ...presented, grant_token: answered.grantToken }
  })
}

/** Throws when the tier of the asker is too low, or for a standing permission the tier of the target. */
function checkTiers(
  context: OperatorContext<TierFailure>,
  request: NewPeck,
  { targetTier, minPeckTier, isAlways }: RequestFacts,
  invitation: FoundInvitation | null = null,
): void {
  const { caller } = context
  const required = invitation !== null || isAlways ? lowerTier(minPeckTier, invitedTier) : minPeckTier
  if (!reaches(caller.tier, required))
    throw context.fail('tier_too_low', { required_tier: required, current_tier: caller.tier })
  if (request.scope === 'standing' && !reaches(targetTier, 'T2'))
    throw context.fail('target_tier_too_low', { required_tier: 'T2', current_tier: targetTier })
}

function checkFatigue(context: OperatorContext<FatigueFailure>, request: NewPeck, facts: RequestFacts): void {
  if (isTestAccount(request.targetDucklingId)) return
  const { now } = context
  const refuse = (failure: FatigueFailure, until: Date) =>
    context.fail(failure, { retry_after: secondsUntil(until, now) })
  const pause = pauseOf(facts.rejections, request.action, now)
  if (pause !== null) throw refuse(pause.failure, pause.until)
  checkPending(context, request, facts)
  const nextAt = nextAskAt(request, facts, now)
  if (nextAt !== null) throw refuse('too_many_pecks', nextAt)
}

/** Throws when as many requests wait for the target as may. */
function checkPending(
  { now, fail }: OperatorContext<'too_many_pending_pecks'>,
  { requesterDucklingId, targetDucklingId }: NewPeck,
  { pendingCount, pendingUntil }: RequestFacts,
): void {
  const max = pendingMax[requesterDucklingId === targetDucklingId ? 'own' : 'others']
  if (pendingCount >= max && pendingUntil !== null)
    throw fail('too_many_pending_pecks', { retry_after: secondsUntil(pendingUntil, now) })
}

/**
 * Returns what the target makes of the asker (contract F, Askers): `known` when something of it was approved, when the target always wants
 * to be reached by it, or when it is the person's own agent; `stranger` within the budget of the target for strangers; `waiting` beyond it. Who
 * asks with an invitation is `known` within the budget of invitations, and `stranger` beyond it: the first list of the inbox has it either way. An impostor is a
 * `stranger` there too, so that nothing rings.
 */
async function standingOf(
  tx: Tx,
  { requesterDucklingId, targetDucklingId, invitationId }: NewPeck,
  { hasApproved, isAlways, isBlocked, isImpostor }: RequestFacts & { isImpostor: boolean },
  now: Date,
): Promise<AskerStanding> {
  if (hasApproved || isBlocked || requesterDucklingId === targetDucklingId) return 'known'
  const welcome = isImpostor ? 'stranger' : 'known'
  if (isAlways) return welcome
  if (invitationId !== null)
    return (await tx.run`${tokenTaking('invited', targetDucklingId, now)}`) === 1 ? welcome : 'stranger'
  // A statement of its own, because the peck depends on its outcome. Only strangers who ask the same person wait for each other.
  const taken = await tx.run`${tokenTaking('strangers', targetDucklingId, now)}`
  return taken === 1 ? 'stranger' : 'waiting'
}

/** Returns the identical peck when it is still pending. Else writes how it ended by the clock, so that a new one can follow. */
export async function findPending(
  tx: Tx,
  context: OperatorContext,
  identicalId: string | null,
): Promise<PeckRow | null> {
  const peck = identicalId === null ? null : await lockPeck(tx, identicalId)
  const { now } = withCurrentTime(context)
  if (peck === null || statusOf(peck, now) === 'pending') return peck
  finishRejection(tx, peck, now)
  // The new peck has the same key, so the end of the old one is written first.
  await flush(tx)
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

/**
 * The test request: the owner of an agent sees how its requests arrive. Beak sends it in the name of the agent because
 * the owner asked, so only a session can. Its action marks it everywhere, and an approval of it permits nothing.
 */

/** The service knows what the request does: nothing. */
const noRisk: Risk = { level: 'low', reasons: [], novelty: [] }

/**
 * Sends a test request of a bonded agent to its owner. Returns the one that waits, with `repeated`, when there is one. Earlier rejections
 * pause nothing here. Throws `agent_not_found`, `agent_status_conflict`, `too_many_pending_pecks`, or `tier_too_low` when requests
 * of the agent cannot reach the owner.
 */
export function sendTestRequest(
  context: DucklingContext<
    | 'agent_not_found'
    | 'agent_status_conflict'
    | 'tier_too_low'
    | 'target_tier_too_low'
    | 'too_many_pending_pecks'
  >,
  agentId: string,
): Promise<PeckInput> {
  const { now } = context
  const request = testRequest(context, agentId)
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, context, agentId)
    if (agent.status !== 'bonded') throw wrongState(context, agent)
    await lockName(tx, pairLock(request.requesterDucklingId, request.targetDucklingId))
    const facts = await readRequestFacts(tx, request, now)
    if (facts === null) throw context.fail('agent_not_found')
    checkTiers(context, request, facts)
    const pending = await findPending(tx, context, facts.identicalId)
    if (pending !== null) return { ...presentPeck(pending, now), repeated: true as const }
    checkPending(context, request, facts)
    const sides = { ...facts, agentName: agent.name, risk: noRisk, stranger: false }
    const peck = insertPeck(tx, preparePeck(request, sides))
    recordPeck(tx, context, 'peck.sent', peck)
    announcePeck(tx, peck, facts, now, 'known')
    return presentPeck(peck, now)
  })
}

function testRequest({ caller, now }: DucklingContext, agentId: string): NewPeck {
  const { id, tier, sessionId } = caller
  const agent: AgentCaller = { type: 'agent', id, agentId, keyId: '', tier, capabilities: [] }
  const request = newPeck(
    agent,
    {
      targetDucklingId: id,
      action: testAction,
      scope: 'limited',
      params: {},
      message: undefined,
      expiresIn: hour,
      grantExpiresIn: minute,
    },
    now,
  )
  return { ...request, askedBySession: sessionId }
}
