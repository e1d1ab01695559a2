import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'

const rotate = ({ token }: ADuckling, agentId: string, change: object = {}) =>
  call('POST /beak/key/rotate', { token, body: { agent_id: agentId, ...change } })

const works = async (key: string) => (await call('GET /beak/profile', { key })).status

function daysUntil(time: string): number {
  return (Date.parse(time) - Date.now()) / (day * 1000)
}

describe('200', () => {
  it('creates a new key for 90 days, retires the old one and mails the owner', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { name: 'Paddler' })
    const { status, body } = await rotate(duckling, agent.agentId)
    expect(status).toBe(200)
    expect(body).toEqual({
      agent_id: agent.agentId,
      key_id: expect.stringMatching(/^KEY-/),
      beak_key: expect.stringMatching(/^beak_KEY-/),
      expires_at: expect.any(String),
    })
    expect(daysUntil(body.expires_at)).toBeCloseTo(90, 2)
    expect([await works(agent.beakKey), await works(body.beak_key)]).toEqual([401, 200])
    const mails = await sentTo(duckling.email)
    expect(mails.filter(({ kind }) => kind === 'key_rotated')).toMatchObject([
      { text: expect.stringContaining('Paddler') },
    ])
    expect(
      await db().auditEvent.findMany({ where: { ducklingId: duckling.id, action: 'key.rotated' } }),
    ).toMatchObject([{ outcome: 'success', metadata: { retired_key_id: agent.keyId } }])
  })

  it('uses the requested lifetime and the operator’s current tier', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T2' } })
    const { body } = await rotate(duckling, agent.agentId, { expires_in_days: 365 })
    expect(daysUntil(body.expires_at)).toBeCloseTo(365, 2)
    const list = await call('GET /beak/agent/list', { token: duckling.token })
    expect(list.body.items[0].key).toMatchObject({ key_id: body.key_id, tier_scope: 'T2' })
  })

  it('creates a new handshake for an agent that has not bonded, and the old one stops working', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const { body } = await rotate(duckling, agent.agentId)
    const bond = (handshake_token: string) =>
      call('POST /beak/agent/bond', {
        key: body.beak_key,
        body: { agent_id: agent.agentId, handshake_token },
      })
    expect((await bond(agent.handshakeToken)).status).toBe(401)
    expect((await bond(body.handshake_token)).status).toBe(200)
  })

  it('makes an agent with an expired key work again', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    await db().beakKey.update({
      where: { id: agent.keyId },
      data: { expiresAt: secondsAfter(new Date(), -day) },
    })
    const { body } = await rotate(duckling, agent.agentId)
    expect(await works(body.beak_key)).toBe(200)
  })

  it('leaves exactly one live key after 50 simultaneous rotations', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    const answers = await Promise.all(Array.from({ length: 50 }, () => rotate(duckling, agent.agentId)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const keys = await db().beakKey.findMany({ where: { agentId: agent.agentId } })
    expect(keys).toHaveLength(51)
    expect(keys.filter(({ retiredAt, activeFor }) => retiredAt === null && activeFor !== null)).toHaveLength(
      1,
    )
    const good = await Promise.all(answers.map(({ body }) => works(body.beak_key)))
    expect(good.filter((status) => status === 200)).toHaveLength(1)
  })

  // security: agent-12, check-43
  it('rejects every later use of the old key', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    let isRotated = false
    const uses: Promise<{ startedAfter: boolean; status: number }>[] = []
    const use = async () => {
      const startedAfter = isRotated
      return { startedAfter, status: await works(agent.beakKey) }
    }
    for (let index = 0; index < 25; index++) uses.push(use())
    const rotation = rotate(duckling, agent.agentId).then(({ status }) => {
      isRotated = true
      return status
    })
    for (let index = 0; index < 25; index++) uses.push(use())
    expect(await rotation).toBe(200)
    for (let index = 0; index < 25; index++) uses.push(use())
    const results = await Promise.all(uses)
    expect(results.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
    expect(results.filter(({ startedAfter, status }) => startedAfter && status !== 401)).toEqual([])
  })
})

describe('400', () => {
  it.each([
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ expires_in_days: 366 }, 'expires_in_days'],
    [{ expires_in_days: 1.5 }, 'expires_in_days'],
    [{ expires_in_days: '90' }, 'expires_in_days'],
    [{ agent_id: 'AGT-1' }, 'agent_id'],
    [{ key_id: 'KEY-1' }, 'key_id'],
  ])('names the invalid field in %j', async (change, field) => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const answer = await rotate(duckling, agent.agentId, change)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe('409', () => {
  it('does not create a key for a deregistered agent', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling)
    await deregisterAgent(await duckling.context(), agent.agentId)
    const { status, body } = await rotate(duckling, agent.agentId)
    expect([status, body.code, body.current_status]).toEqual([409, 'E4008', 'deregistered'])
  })
})
