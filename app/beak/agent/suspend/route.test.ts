import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'

const suspend = ({ token }: ADuckling, { agentId }: AnAgent) =>
  call('POST /beak/agent/suspend', { token, body: { agent_id: agentId } })
const resume = ({ token }: ADuckling, { agentId }: AnAgent) =>
  call('POST /beak/agent/resume', { token, body: { agent_id: agentId } })

async function eventsOf(duckling: ADuckling) {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: duckling.id, action: { in: ['agent.suspended', 'agent.resumed'] } },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ action, outcome }) => `${action} ${outcome}`)
}

describe('200', () => {
  it('stops a bonded agent and its key, and resume makes the same key work again', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const stopped = await suspend(duckling, agent)
    expect(stopped.body).toMatchObject({ agent_id: agent.agentId, status: 'suspended' })
    expect((await call('GET /beak/profile', { key: agent.beakKey })).status).toBe(403)
    const resumed = await resume(duckling, agent)
    expect(resumed.body).toMatchObject({ status: 'bonded', key: { key_id: agent.keyId } })
    expect((await call('GET /beak/profile', { key: agent.beakKey })).status).toBe(200)
    expect(await eventsOf(duckling)).toEqual(['agent.suspended success', 'agent.resumed success'])
  })

  it('returns an agent that never bonded to registered, and its handshake still works', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    await suspend(duckling, agent)
    expect((await resume(duckling, agent)).body.status).toBe('registered')
    const bonded = await call('POST /beak/agent/bond', {
      key: agent.beakKey,
      body: { agent_id: agent.agentId, handshake_token: agent.handshakeToken },
    })
    expect(bonded.status).toBe(200)
  })
})

describe('404', () => {
  it('does not change another owner’s agent', async () => {
    const agent = await anAgent(await aDuckling())
    const stranger = await aDuckling()
    for (const { status, body } of [await suspend(stranger, agent), await resume(stranger, agent)])
      expect([status, body.code]).toEqual([404, 'E4005'])
    expect((await call('GET /beak/profile', { key: agent.beakKey })).status).toBe(200)
  })
})

describe('409', () => {
  it('names the current state when the agent cannot be suspended or resumed', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const early = await resume(duckling, agent)
    expect([early.status, early.body.code, early.body.current_status]).toEqual([409, 'E4008', 'bonded'])
    await suspend(duckling, agent)
    expect((await suspend(duckling, agent)).body.current_status).toBe('suspended')
    await deregisterAgent(await duckling.context(), agent.agentId)
    expect((await suspend(duckling, agent)).body.current_status).toBe('deregistered')
    expect((await resume(duckling, agent)).body.current_status).toBe('deregistered')
    expect(await eventsOf(duckling)).toEqual([
      'agent.resumed denied',
      'agent.suspended success',
      'agent.suspended denied',
      'agent.suspended denied',
      'agent.resumed denied',
    ])
  })

  it('suspends the agent once for 50 simultaneous calls', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const answers = await Promise.all(Array.from({ length: 50 }, () => suspend(duckling, agent)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  })
})
