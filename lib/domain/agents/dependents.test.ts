import { describe, expect, it } from 'vitest'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/fixtures/agents'
import { aDuckling } from '@/lib/fixtures/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/fixtures/pecks'
import { anSsoToken } from '@/lib/fixtures/sso'
import { readClock } from '@/lib/kernel/clock'
import { countDependents } from './dependents'

describe('countDependents', () => {
  it('counts for the operator what deregistering the agent ends, and nothing for others', async () => {
    const [operator, target] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(operator)
    await aPeck(agent, target, { action: 'read:calendar' })
    await aPeck(agent, target, { action: 'read:photos' })
    await anApprovedPeck(agent, target, { action: 'read:notes' })
    await anSsoToken(agent.context())
    await aPeck(operator, target, { action: 'read:calendar' })

    const counts = await countDependents(operator.id, agent.agentId, readClock())
    expect(counts).toEqual({ pecks: 2, grants: 1, ssoTokens: 1 })
    expect(await countDependents(target.id, agent.agentId, readClock())).toEqual({
      pecks: 0,
      grants: 0,
      ssoTokens: 0,
    })

    const ended = await deregisterAgent(await operator.context(), agent.agentId)
    expect(counts).toEqual({
      pecks: ended.cancelled_pecks.length,
      grants: ended.revoked_grants.length,
      ssoTokens: ended.revoked_sso_tokens.length,
    })
    expect(await countDependents(operator.id, agent.agentId, readClock())).toEqual({
      pecks: 0,
      grants: 0,
      ssoTokens: 0,
    })
  })
})
