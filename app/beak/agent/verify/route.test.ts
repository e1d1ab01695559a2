import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { resumeAgent, suspendAgent } from '@/lib/domain/agents/suspend'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { verifyToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { maskId, newId } from '@/lib/kernel/secrets/ids'

const verify = (agentId: string) => call(`GET /beak/agent/verify?agent_id=${agentId}`)

describe('200', () => {
  it('returns valid for a bonded agent, and its operator with a masked id', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    const agent = await anAgent(duckling, { capabilities: ['read:profile'] })
    const { status, body } = await verify(agent.agentId)
    expect(status).toBe(200)
    expect(body).toEqual({
      agent_id: agent.agentId,
      valid: true,
      status: 'bonded',
      agent_name: agent.name,
      agent_type: 'assistant',
      capabilities: ['read:profile'],
      asks_others: true,
      bonded_at: expect.stringMatching(/Z$/),
      operator: {
        duckling_id: maskId(duckling.id),
        display_name: duckling.displayName,
        trust_tier: 'T2',
        certified: false,
        cert_id: null,
      },
      checked_at: expect.stringMatching(/Z$/),
    })
    expect(JSON.stringify(body)).not.toContain(duckling.id)
  })

  it('names the operator’s certificate while it is active', async () => {
    const duckling = await aDuckling()
    const { agentId } = await anAgent(duckling)
    const issued = await call('POST /beak/cert/issue', { token: duckling.token })
    const { cert_id } = issued.body
    expect((await verify(agentId)).body.operator).toMatchObject({ certified: true, cert_id })
    await call('POST /beak/cert/revoke', { token: duckling.token, body: { reason: 'over' } })
    expect((await verify(agentId)).body.operator).toMatchObject({ certified: false, cert_id: null })
  })

  it('returns not valid for an agent that is not bonded or whose operator’s account is closed', async () => {
    const duckling = await aDuckling()
    const fresh = await anAgent(duckling, { bonded: false })
    expect((await verify(fresh.agentId)).body).toMatchObject({ valid: false, status: 'registered' })
    const { agentId } = await anAgent(duckling)
    await suspendAgent(await duckling.context(), agentId)
    expect((await verify(agentId)).body).toMatchObject({ valid: false, status: 'suspended' })
    await resumeAgent(await duckling.context(), agentId)
    expect((await verify(agentId)).body).toMatchObject({ valid: true, status: 'bonded' })
    await deregisterAgent(await duckling.context(), agentId)
    expect((await verify(agentId)).body).toMatchObject({ valid: false, status: 'deregistered' })
    const orphan = await anAgent(duckling)
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt: new Date() } })
    expect((await verify(orphan.agentId)).body.valid).toBe(false)
  })
})

describe('400 and 404', () => {
  it.each(['AGT-1', 'DUCK-0123456789ABCDEFGHJKMNPQRS', ''])('rejects %j as an id', async (agentId) => {
    expect((await verify(agentId)).status).toBe(400)
  })

  it('returns not valid for an unknown agent', async () => {
    const { status, body } = await verify(newId('agent', new Date()))
    expect([status, body.code, body.valid]).toEqual([404, 'E4005', false])
  })
})

describe('POST /beak/agent/token', () => {
  const prove = (key: string, audience: unknown) =>
    call('POST /beak/agent/token', { key, body: { audience } })

  describe('200', () => {
    it('returns a token for five minutes and one audience, which names the operator', async () => {
      const duckling = await aDuckling({ tier: 'T2' })
      const agent = await anAgent(duckling, { capabilities: ['read:cert'] })
      const { status, body } = await prove(agent.beakKey, 'Shop.Example.com')
      expect(status).toBe(200)
      expect(body).toMatchObject({ token_type: 'Bearer', audience: 'shop.example.com' })
      const now = readClock()
      const claims = await verifyToken('agent', body.token, 'shop.example.com', now)
      expect(claims).toEqual({
        iss: config().baseUrl,
        aud: 'shop.example.com',
        sub: agent.agentId,
        operator: duckling.id,
        tier: 'T2',
        capabilities: ['read:cert'],
        iat: expect.any(Number),
        exp: Date.parse(body.expires_at) / 1000,
        jti: expect.any(String),
      })
      expect(Number(claims?.exp) - Number(claims?.iat)).toBe(300)
      expect(await verifyToken('agent', body.token, 'other.example.com', now)).toBeNull()
      expect(await verifyToken('agent', body.token, 'shop.example.com', secondsAfter(now, 300))).toBeNull()
      expect(
        await db().auditEvent.findMany({ where: { ducklingId: duckling.id, action: 'agent.token_issued' } }),
      ).toMatchObject([
        { actorType: 'agent', actorId: agent.agentId, metadata: { audience: 'shop.example.com' } },
      ])
    })

    it.each(['https://Shop.example.com/agents', 'http://localhost:4000', 'urn:example:shop', 'shop'])(
      'accepts %s as audience, unchanged',
      async (audience) => {
        const { beakKey } = await anAgent(await aDuckling())
        const { body } = await prove(beakKey, audience)
        expect(body.audience).toBe(audience)
      },
    )

    // security: agent-29
    it('is not accepted by this API, even when this service is the audience', async () => {
      const { beakKey } = await anAgent(await aDuckling())
      for (const audience of [config().baseUrl.replace('http:', 'https:'), 'shop.example.com']) {
        const { body } = await prove(beakKey, audience)
        const answer = await call('GET /beak/profile', { token: body.token })
        expect([answer.status, answer.body.code]).toEqual([401, 'E4006'])
      }
    })
  })

  describe('400', () => {
    it.each(['', 'https://', '://shop', 'my shop', 'https://a b', 'x'.repeat(256), 7, null])(
      'rejects %j as audience',
      async (audience) => {
        const { beakKey } = await anAgent(await aDuckling())
        const answer = await prove(beakKey, audience)
        expect(answer.status).toBe(400)
        expect(answer.body.errors).toMatchObject([{ field: 'audience' }])
      },
    )
  })

  describe('403', () => {
    it('tells the owner of each attempt of an agent that is not bonded', async () => {
      const duckling = await aDuckling()
      const unbonded = await anAgent(duckling, { bonded: false })
      const stopped = await anAgent(duckling)
      await suspendAgent(await duckling.context(), stopped.agentId)
      for (const { beakKey } of [unbonded, stopped])
        expect((await prove(beakKey, 'example.com')).status).toBe(403)
      const denied = await db().auditEvent.findMany({
        where: { ducklingId: duckling.id, action: 'agent.token_issued', outcome: 'denied' },
      })
      expect(denied).toHaveLength(2)
    })
  })
})
