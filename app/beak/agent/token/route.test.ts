import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { verifyToken } from '@/lib/infrastructure/keys/tokens'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

const prove = (key: string, audience: unknown) => call('POST /beak/agent/token', { key, body: { audience } })

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

describe('401 and 403', () => {
  it('rejects everybody except bonded agents', async () => {
    const duckling = await aDuckling()
    const session = await call('POST /beak/agent/token', {
      token: duckling.token,
      body: { audience: 'example.com' },
    })
    expect([session.status, session.body.code]).toEqual([401, 'E4001'])
    const unbonded = await anAgent(duckling, { bonded: false })
    const early = await prove(unbonded.beakKey, 'example.com')
    expect([early.status, early.body.code]).toEqual([403, 'E4007'])
    const stopped = await anAgent(duckling)
    await suspendAgent(await duckling.context(), stopped.agentId)
    expect((await prove(stopped.beakKey, 'example.com')).status).toBe(403)
    const denied = await db().auditEvent.findMany({
      where: { ducklingId: duckling.id, action: 'agent.token_issued', outcome: 'denied' },
    })
    expect(denied).toHaveLength(2)
  })
})
