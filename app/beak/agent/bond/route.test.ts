import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { bondAgent } from '@/lib/domain/agents/credentials'
import { writeRefusals } from '@/lib/domain/agents/refusals'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { type AnAgent, anAgent, keyContext } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { hour, secondsAfter } from '@/lib/kernel/runtime/clock'

function bond({ beakKey, agentId, handshakeToken }: AnAgent) {
  return call('POST /beak/agent/bond', {
    key: beakKey,
    body: { agent_id: agentId, handshake_token: handshakeToken },
  })
}

async function events(ducklingId: string, action: string) {
  await writeRefusals(new Date())
  return db().auditEvent.findMany({ where: { ducklingId, action }, orderBy: { seq: 'asc' } })
}

describe('200', () => {
  it('bonds with key and handshake, and records the agent in the log of its operator', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const { status, body } = await bond(agent)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      agent_id: agent.agentId,
      status: 'bonded',
      bonded_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      key: { key_id: agent.keyId, start: agent.beakKey.slice(0, 17), tier_scope: 'T1', retired_key_uses: 0 },
    })
    expect(await events(duckling.id, 'agent.bonded')).toMatchObject([
      { outcome: 'success', actorType: 'agent', actorId: agent.agentId },
    ])
    const profile = await call('GET /beak/profile', { key: agent.beakKey })
    expect([profile.status, profile.body.duckling_id]).toEqual([200, duckling.id])
    expect(await db().handshake.count({ where: { agentId: agent.agentId } })).toBe(0)
  })

  it('accepts the key as bearer token', async () => {
    const agent = await anAgent(await aDuckling(), { bonded: false })
    const { status } = await call('POST /beak/agent/bond', {
      token: agent.beakKey,
      body: { agent_id: agent.agentId, handshake_token: agent.handshakeToken },
    })
    expect(status).toBe(200)
  })

  // security: agent-13, check-41
  it('bonds once for 50 simultaneous tries with one handshake', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const answers = await Promise.all(Array.from({ length: 50 }, () => bond(agent)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      answers.filter(({ status, body }) => status === 409 && body.current_status === 'bonded'),
    ).toHaveLength(49)
    const recorded = await events(duckling.id, 'agent.bonded')
    expect(recorded.filter(({ outcome }) => outcome === 'success')).toHaveLength(1)
  })
})

describe('400', () => {
  it('names the invalid field', async () => {
    const agent = await anAgent(await aDuckling(), { bonded: false })
    const answer = await call('POST /beak/agent/bond', { key: agent.beakKey, body: { agent_id: 'AGT-1' } })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'agent_id',
      'handshake_token',
    ])
  })
})

describe('401', () => {
  // security: agent-13
  it('rejects the key of another agent, and records the cause only for the owner of the key', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const sibling = await anAgent(duckling, { bonded: false })
    const stranger = await aDuckling()
    const strange = await anAgent(stranger, { bonded: false })
    for (const { beakKey } of [sibling, strange]) {
      const { status, body } = await bond({ ...agent, beakKey })
      expect([status, body.code]).toEqual([401, 'E4001'])
    }
    expect(await events(stranger.id, 'key.refused')).toMatchObject([
      {
        outcome: 'denied',
        metadata: { cause: 'other_agent', key_id: strange.keyId, agent_id: strange.agentId },
      },
    ])
    expect(await events(duckling.id, 'key.refused')).toMatchObject([
      { outcome: 'denied', metadata: { cause: 'other_agent', key_id: sibling.keyId } },
    ])
    expect((await bond(agent)).status).toBe(200)
  })

  it.each([
    ['of another agent', (_: AnAgent, other: AnAgent) => other.handshakeToken],
    [
      'with a wrong secret',
      (own: AnAgent) => `${own.handshakeToken.slice(0, -1)}${own.handshakeToken.endsWith('0') ? '1' : '0'}`,
    ],
    ['cut short', (own: AnAgent) => own.handshakeToken.slice(0, 40)],
    ['of no form at all', () => 'open sesame'],
  ])('rejects a handshake %s, and does not spend the right one', async (_, wrong) => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const other = await anAgent(duckling, { bonded: false })
    const answer = await bond({ ...agent, handshakeToken: wrong(agent, other) })
    expect([answer.status, answer.body.code]).toEqual([401, 'E4006'])
    expect(await events(duckling.id, 'agent.bonded')).toMatchObject([
      { outcome: 'denied', metadata: { failure: 'handshake_token_invalid' } },
    ])
    expect((await bond(agent)).status).toBe(200)
  })

  it('rejects a handshake after an hour', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const context = await keyContext(agent.beakKey)
    const late = { ...context, now: secondsAfter(context.now, hour + 1) }
    await expect(bondAgent(late, agent.agentId, agent.handshakeToken)).rejects.toMatchObject({
      failure: 'handshake_token_invalid',
    })
  })
})

describe('409', () => {
  it('returns the current state for an agent that is already bonded', async () => {
    const agent = await anAgent(await aDuckling())
    const { status, body } = await bond(agent)
    expect([status, body.code, body.current_status]).toEqual([409, 'E4008', 'bonded'])
  })

  it('does not bond a suspended agent', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    await suspendAgent(await duckling.context(), agent.agentId)
    const { status, body } = await bond(agent)
    expect([status, body.current_status]).toEqual([409, 'suspended'])
  })
})

describe('POST /beak/agent/handshake', () => {
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
    it('rejects a bonded agent', async () => {
      const duckling = await aDuckling()
      const agent = await anAgent(duckling)
      const bonded = await renew(duckling.token, agent.agentId)
      expect([bonded.status, bonded.body.current_status]).toEqual([409, 'bonded'])
    })
  })
})
