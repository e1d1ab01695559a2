import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { resumeAgent, suspendAgent } from '@/lib/domain/agents/suspend'
import { issueAgentToken } from '@/lib/domain/agents/verify'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import type { Scope } from '@/lib/domain/pecks/new-peck'
import { requestPeck } from '@/lib/domain/pecks/request/request'
import { findPeck } from '@/lib/domain/pecks/rows'
import { consumeGrant } from '@/lib/domain/pecks/use/use'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { issueToken } from '@/lib/domain/sso/issue'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'
import { driftOf } from '@/lib/fixtures/statements'
import { hour } from '@/lib/kernel/runtime/clock'

const deregister = ({ token }: ADuckling, { agentId }: AnAgent) =>
  call('POST /beak/agent/deregister', { token, body: { agent_id: agentId } })

async function ask(agent: AnAgent, target: ADuckling, action: string, scope: Scope = 'limited') {
  const peck = await requestPeck(await agent.context(), {
    targetDucklingId: target.id,
    action,
    scope,
    params: {},
    message: undefined,
    expiresIn: hour,
    grantExpiresIn: undefined,
  })
  return peck.peck_id
}

async function approved(agent: AnAgent, target: ADuckling, action: string, scope: Scope) {
  const peckId = await ask(agent, target, action, scope)
  await approvePeck(await target.context(), { peckId, grantExpiresIn: undefined, passkey: undefined })
  return peckId
}

async function grantToken(agent: AnAgent, peckId: string): Promise<string> {
  const { body } = await call(`GET /beak/peck/status?peck_id=${peckId}`, { key: agent.beakKey })
  return body.grant_token
}

const actionsOf = async (ducklingId: string, actions: string[]) =>
  (
    await db().auditEvent.findMany({
      where: { ducklingId, action: { in: actions } },
      orderBy: { seq: 'asc' },
    })
  ).map(({ action, targets }) => [action, (targets as { id: string }[])[0]?.id])

describe('200', () => {
  it('ends the agent with its key, pecks and grants, lists them, and records them for the other side', async () => {
    const [duckling, target, blocker] = [await aDuckling(), await aDuckling(), await aDuckling()]
    const agent = await anAgent(duckling)
    const other = await anAgent(duckling)
    const pending = await ask(agent, target, 'read:calendar')
    const unspent = await approved(agent, target, 'read:photos', 'limited')
    const timed = await approved(agent, target, 'read:mail', 'timed')
    const spent = await approved(agent, target, 'read:profile', 'limited')
    await consumeGrant(anonymously(), {
      grantToken: await grantToken(agent, spent),
      params: {},
    })
    const late = await ask(agent, target, 'read:diary')
    await db().peck.update({ where: { id: late }, data: { expiresAt: new Date() } })
    await blockDuckling(await blocker.context(), duckling.id)
    const unseen = await ask(agent, blocker, 'read:calendar')
    const othersPeck = await ask(other, target, 'read:calendar')
    const sso = await issueToken(await agent.context(), 'shop.example.com', 'login')

    const { status, body } = await deregister(duckling, agent)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      agent_id: agent.agentId,
      status: 'deregistered',
      retired_keys: [agent.keyId],
    })
    expect([...body.cancelled_pecks].sort()).toEqual([pending, unseen].sort())
    expect([...body.revoked_grants].sort()).toEqual([unspent, timed].sort())
    expect(body.revoked_sso_tokens).toEqual([sso.sso_token.slice(0, 30)])

    expect((await call('GET /beak/profile', { key: agent.beakKey })).status).toBe(401)
    expect((await call(`GET /beak/sso/verify?token=${sso.sso_token}`)).body).toEqual({ active: false })
    for (const id of [pending, unseen])
      expect(await findPeck(id)).toMatchObject({ status: 'cancelled', decidedAt: expect.any(Date) })
    expect(await findPeck(late)).toMatchObject({ status: 'pending' })
    expect(await findPeck(spent)).toMatchObject({ grantRevokedAt: null })
    expect(await findPeck(othersPeck)).toMatchObject({ status: 'pending' })

    const recorded = await actionsOf(target.id, ['peck.cancelled', 'peck.revoked'])
    expect(recorded.sort()).toEqual(
      [
        ['peck.cancelled', pending],
        ['peck.revoked', unspent],
        ['peck.revoked', timed],
      ].sort(),
    )
    expect(await actionsOf(blocker.id, ['peck.cancelled'])).toEqual([])
    expect(await actionsOf(duckling.id, ['agent.deregistered'])).toEqual([
      ['agent.deregistered', agent.agentId],
    ])
    expect(await db().beakKey.count({ where: { agentId: agent.agentId, activeFor: { not: null } } })).toBe(0)
  })

  it('deletes the handshake of an agent that has not bonded', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    await deregister(duckling, agent)
    expect(await db().handshake.count({ where: { agentId: agent.agentId } })).toBe(0)
  })

  it('keeps the public count equal to the number of bonded agents', async () => {
    const duckling = await aDuckling()
    const before = await driftOf('bonded_agents')
    const unbonded = await anAgent(duckling, { bonded: false })
    const agent = await anAgent(duckling)
    const suspended = await anAgent(duckling)
    const steps = [
      async () => suspendAgent(await duckling.context(), agent.agentId),
      async () => resumeAgent(await duckling.context(), agent.agentId),
      async () => suspendAgent(await duckling.context(), suspended.agentId),
      async () => suspendAgent(await duckling.context(), unbonded.agentId),
      async () => resumeAgent(await duckling.context(), unbonded.agentId),
      () => deregister(duckling, unbonded),
      () => deregister(duckling, agent),
      () => deregister(duckling, suspended),
    ]
    expect(await driftOf('bonded_agents')).toBe(before)
    for (const [index, step] of steps.entries()) {
      await step()
      expect([index, await driftOf('bonded_agents')]).toEqual([index, before])
    }
  })

  it('deregisters the agent once for 50 simultaneous calls', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const before = await driftOf('bonded_agents')
    const answers = await Promise.all(Array.from({ length: 50 }, () => deregister(duckling, agent)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      answers.filter(({ status, body }) => status === 409 && body.current_status === 'deregistered'),
    ).toHaveLength(49)
    expect(await driftOf('bonded_agents')).toBe(before)
  })

  it('rejects commands of the agent that were authenticated just before', async () => {
    const [duckling, target] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(duckling)
    const accepted = await agent.context()
    await deregister(duckling, agent)
    const context = () => Promise.resolve(accepted)
    for (const late of [
      () => ask({ ...agent, context }, target, 'read:calendar'),
      () => issueToken(accepted, 'shop.example.com', 'login'),
      () => issueAgentToken(accepted, 'shop.example.com'),
    ])
      await expect(late()).rejects.toMatchObject({ failure: 'agent_not_bonded' })
    expect(await db().peck.count({ where: { askerId: agent.agentId } })).toBe(0)
    expect(await db().ssoToken.count({ where: { agentId: agent.agentId } })).toBe(0)
  })

  // security: agent-12
  it('leaves no pending peck, even of simultaneous requests', async () => {
    const [duckling, target] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(duckling)
    const requests = Array.from({ length: 8 }, (_, index) =>
      call('POST /beak/peck/request', {
        key: agent.beakKey,
        body: { target_duckling_id: target.id, action: `read:page${index}`, scope: 'limited' },
      }),
    )
    const [ended, ...asked] = await Promise.all([deregister(duckling, agent), ...requests])
    expect(ended?.status).toBe(200)
    expect(asked.filter(({ status }) => ![200, 401, 403].includes(status))).toEqual([])
    expect(await db().peck.count({ where: { askerId: agent.agentId, status: 'pending' } })).toBe(0)
  })
})

describe('409', () => {
  it('returns the current state for a deregistered agent', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    await deregister(duckling, agent)
    const { status, body } = await deregister(duckling, agent)
    expect([status, body.code, body.current_status]).toEqual([409, 'E4008', 'deregistered'])
  })
})

describe('suspending and resuming an agent', () => {
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
})
