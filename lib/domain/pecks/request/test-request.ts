/**
 * The test request: the owner of an agent sees how its requests arrive (contract C, Agents). Beak sends it in the name of the agent because
 * the owner asked, so only a session can. Its action marks it everywhere, and an approval of it permits nothing.
 */
import { lockName, transaction } from '@/lib/db/transaction'
import { lockAgent, wrongState } from '@/lib/domain/agents/read'
import { announcePeck } from '@/lib/domain/pecks/mail/announce'
import { insertPeck, type NewPeck, newPeck, preparePeck } from '@/lib/domain/pecks/new-peck'
import { recordPeck } from '@/lib/domain/pecks/record'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { hour, minute } from '@/lib/kernel/clock'
import type { AgentCaller, DucklingContext } from '@/lib/kernel/context'
import { testAction } from '@/lib/kernel/test-request'
import type { Risk } from '../risk/rules'
import { pairLock } from './pair-lock'
import { checkPending, checkTiers, findPending } from './request'
import { readRequestFacts } from './request-facts'

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
