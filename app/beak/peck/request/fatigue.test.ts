/** The limits against fatigue (asking until the target gives in) count an operator together with all its agents (contract F, Askers). */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { rejectPeck } from '@/lib/domain/pecks/decide/reject'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { secondsAfter } from '@/lib/kernel/clock'

let operator: ADuckling
let target: ADuckling
let agent: AnAgent
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(operator)
})

const ask = (from: { token: string } | { beakKey: string }, body: object = {}) =>
  call('POST /beak/peck/request', {
    ...('token' in from ? { token: from.token } : { key: from.beakKey }),
    body: { target_duckling_id: target.id, action: 'read:profile', scope: 'limited', ...body },
  })

const pendingFrom = (who: ADuckling) =>
  db().peck.count({
    where: { requesterDucklingId: who.id, targetDucklingId: target.id, status: 'pending' },
  })

describe('after a rejection', () => {
  async function rejected(): Promise<string> {
    const { peck_id } = await aPeck(agent, target)
    await rejectPeck(await target.context(), peck_id, 'Not today')
    return peck_id
  }

  it('refuses the same action for an hour, with any scope or params', async () => {
    const peckId = await rejected()
    for (const change of [{}, { scope: 'timed' }, { params: { again: true } }]) {
      const { status, body, headers } = await ask(agent, change)
      expect([status, body.code]).toEqual([429, 'E4004'])
      expect(body.retry_after).toBeGreaterThan(3590)
      expect(body.retry_after).toBeLessThanOrEqual(3600)
      expect(headers.get('retry-after')).toBe(String(body.retry_after))
    }
    expect((await ask(agent, { action: 'read:cert' })).status).toBe(200)
    const decidedAt = secondsAfter(new Date(), -3600)
    await db().peck.update({ where: { id: peckId }, data: { decidedAt } })
    expect((await ask(agent)).status).toBe(200)
  })

  it('refuses the same action to a second agent of the operator and to the operator', async () => {
    await rejected()
    const second = await anAgent(operator)
    for (const from of [second, operator]) {
      const { status, body } = await ask(from)
      expect([status, body.code]).toEqual([429, 'E4004'])
    }
    expect(await pendingFrom(operator)).toBe(0)
  })

  it('refuses the same action to an agent after its operator was rejected', async () => {
    const { peck_id } = await aPeck(operator, target)
    await rejectPeck(await target.context(), peck_id, 'Not today')
    expect((await ask(agent)).status).toBe(429)
  })

  it('accepts agents of other operators, and the same operator for other targets', async () => {
    await rejected()
    expect((await ask(await anAgent(await aDuckling()))).status).toBe(200)
    const other = await aDuckling()
    expect((await ask(agent, { target_duckling_id: other.id })).status).toBe(200)
  })
})

describe('pending requests', () => {
  it('are limited to ten for an agent that sends 50 at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(agent, { params: { index }, expires_in: 600 + index })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(40)
    expect(refused[0]?.body.retry_after).toBeGreaterThan(590)
    expect(refused[0]?.body.retry_after).toBeLessThan(660)
    const other = await aDuckling()
    expect((await ask(agent, { target_duckling_id: other.id })).status).toBe(200)
    const [one] = await db().peck.findMany({ where: { askerId: agent.agentId, targetDucklingId: target.id } })
    await db().peck.update({ where: { id: one?.id ?? '' }, data: { expiresAt: new Date() } })
    expect((await ask(agent)).status).toBe(200)
  })

  it('are limited to ten for an operator and 25 agents that ask at the same time', async () => {
    const agents = [agent]
    while (agents.length < 25) agents.push(await anAgent(operator))
    const answers = await Promise.all(
      [operator, ...agents].flatMap((from) => [ask(from), ask(from, { action: 'read:cert' })]),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(42)
    expect(refused[0]?.body.detail).toContain('you and your agents')
    expect(await pendingFrom(operator)).toBe(10)
    const stranger = await anAgent(await aDuckling())
    expect((await ask(stranger)).status).toBe(200)
  })

  it('return an identical one of the same asker, even when ten are pending', async () => {
    const first = await ask(agent)
    for (let index = 1; index < 10; index++) await ask(operator, { params: { index } })
    expect((await ask(operator)).status).toBe(429)
    expect((await ask(agent)).body).toEqual({ ...first.body, repeated: true })
  })

  it('are limited in the same way for a blocked operator', async () => {
    const { token } = target
    await call('POST /beak/peck/block', { token, body: { duckling_id: operator.id } })
    for (let index = 0; index < 10; index++)
      expect((await ask(agent, { params: { index } })).status).toBe(200)
    const second = await anAgent(operator)
    expect((await ask(second)).status).toBe(429)
    const { body } = await call('GET /beak/peck/history', { token })
    expect(body.items).toEqual([])
  })
})
