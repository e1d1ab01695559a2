import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { bondAgent } from '@/lib/agents/bond'
import { db } from '@/lib/db/client'
import { anAgent, keyContext } from '@/lib/fixtures/agents'
import { aDuckling } from '@/lib/fixtures/ducklings'
import { secondsAfter } from '@/lib/kernel/clock'

const bond = (key: string, agent_id: string, handshake_token: string) =>
  call('POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })

const events = (ducklingId: string, action: string, outcome: string) =>
  db().auditEvent.findMany({ where: { ducklingId, action, outcome } })

describe('200', () => {
  it('bonds with key and handshake, as the agent, and tells the operator', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const { status, body } = await bond(agent.beakKey, agent.agentId, agent.handshakeToken)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      agent_id: agent.agentId,
      status: 'bonded',
      bonded_at: expect.stringMatching(/Z$/),
      key: { key_id: agent.keyId, tier_scope: 'T1', retired_key_uses: 0 },
    })
    const [event] = await events(duckling.id, 'agent.bonded', 'success')
    expect(event).toMatchObject({ actorType: 'agent', actorId: agent.agentId })
    const profile = await call('GET /beak/profile', { key: agent.beakKey })
    expect([profile.status, profile.body.duckling_id]).toEqual([200, duckling.id])
  })

  it('takes the key as bearer too', async () => {
    const agent = await anAgent(await aDuckling(), { bonded: false })
    const { status } = await call('POST /beak/agent/bond', {
      token: agent.beakKey,
      body: { agent_id: agent.agentId, handshake_token: agent.handshakeToken },
    })
    expect(status).toBe(200)
  })

  it('is given to exactly one of 50 simultaneous tries with one handshake', async () => {
    const agent = await anAgent(await aDuckling(), { bonded: false })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => bond(agent.beakKey, agent.agentId, agent.handshakeToken)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409 || status === 401)).toHaveLength(49)
  })
})
