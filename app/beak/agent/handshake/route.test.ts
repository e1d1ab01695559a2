import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'

const renew = (token: string, agent_id: string) =>
  call('POST /beak/agent/handshake', { token, body: { agent_id } })

describe('200', () => {
  it('creates a new handshake token, and the old one stops working', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const { status, body } = await renew(duckling.token, agent.agentId)
    expect(status).toBe(200)
    expect(body).toEqual({
      agent_id: agent.agentId,
      handshake_token: expect.stringMatching(/^HSK-[0-9A-Z]{78}$/),
      handshake_expires_at: expect.any(String),
    })
    const bond = (handshake_token: string) =>
      call('POST /beak/agent/bond', {
        key: agent.beakKey,
        body: { agent_id: agent.agentId, handshake_token },
      })
    expect((await bond(agent.handshakeToken)).status).toBe(401)
    expect((await bond(body.handshake_token)).status).toBe(200)
  })

  it('leaves exactly one valid token after 50 simultaneous calls', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const made = await Promise.all(Array.from({ length: 50 }, () => renew(duckling.token, agent.agentId)))
    expect(made.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const bonds = await Promise.all(
      made.map(({ body }) =>
        call('POST /beak/agent/bond', {
          key: agent.beakKey,
          body: { agent_id: agent.agentId, handshake_token: body.handshake_token },
        }),
      ),
    )
    expect(bonds.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('404 and 409', () => {
  it('rejects another owner’s agent and a bonded agent', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const bonded = await renew(duckling.token, agent.agentId)
    expect([bonded.status, bonded.body.current_status]).toEqual([409, 'bonded'])
    const theirs = await renew((await aDuckling()).token, agent.agentId)
    expect([theirs.status, theirs.body.code]).toEqual([404, 'E4005'])
  })
})
