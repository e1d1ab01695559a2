/** The limits against fatigue (asking until the target gives in) count an operator together with all its agents (contract F, Askers). */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { acquaint, anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { config, useConfig } from '@/lib/kernel/config'
import { daily } from '@/lib/kernel/config/limits'
import { secondsAfter } from '@/lib/kernel/runtime/clock'

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

  // security: asker-1
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

  // security: asker-1
  it('refuses the same action with another number or sign in its name', async () => {
    await rejected()
    for (const action of ['read:profile1', 'read:profile.', 'read:pro-file'])
      expect((await ask(agent, { action })).body.reason).toBe('peck_recently_rejected')
  })

  /** Lets the target reject requests of the agent for that many different actions. */
  async function rejectMany(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const { peck_id } = await aPeck(agent, target, { action: `read:${'abcdefgh'[index]}` })
      await rejectPeck(await target.context(), peck_id, 'No')
    }
  }

  // security: asker-1
  it('refuses every action from the third rejection in a day on, to the operator and all its agents', async () => {
    await rejectMany(2)
    expect((await ask(agent, { action: 'pay:invoice' })).status).toBe(200)
    const { peck_id } = await aPeck(agent, target, { action: 'read:z' })
    await rejectPeck(await target.context(), peck_id, 'No')
    for (const from of [agent, await anAgent(operator), operator]) {
      const { status, body } = await ask(from, { action: 'read:cert' })
      expect([status, body.reason]).toEqual([429, 'asker_paused'])
      expect(body.retry_after).toBeGreaterThan(3590)
      expect(body.retry_after).toBeLessThanOrEqual(3600)
    }
  })

  it('doubles the pause when pecks that still waited are rejected during the pause', async () => {
    const waiting = await Promise.all(
      [...'abcde'].map((object) => aPeck(agent, target, { action: `read:${object}` })),
    )
    for (const { peck_id } of waiting) await rejectPeck(await target.context(), peck_id, 'No')
    const { body } = await ask(agent, { action: 'pay:invoice' })
    expect(body.reason).toBe('asker_paused')
    expect(body.retry_after).toBeGreaterThan(4 * 3600 - 10)
    expect(body.retry_after).toBeLessThanOrEqual(4 * 3600)
  })

  it('accepts requests again after the target has lifted the pause, until the next rejection', async () => {
    await rejectMany(3)
    const lift = (token: string) =>
      call('POST /beak/peck/unpause', { token, body: { duckling_id: operator.id } })
    expect((await lift((await aDuckling()).token)).body.lifted_rejections).toBe(0)
    expect((await ask(agent)).status).toBe(429)
    expect((await lift(target.token)).body).toMatchObject({
      duckling_id: operator.id,
      lifted_rejections: 3,
    })
    const { status, body } = await ask(agent, { action: 'read:a' })
    expect(status).toBe(200)
    await rejectPeck(await target.context(), body.peck_id, 'No')
    expect((await ask(agent, { action: 'read:a' })).status).toBe(429)
    expect((await lift(target.token)).body.lifted_rejections).toBe(1)
    expect((await lift(target.token)).body.lifted_rejections).toBe(0)
    const events = await db().auditEvent.findMany({
      where: { ducklingId: target.id, action: 'peck.unpaused' },
    })
    expect(events.map(({ outcome }) => outcome)).toEqual(['success', 'success'])
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

  // security: asker-1
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

  // security: asker-33
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

describe('the budget of a day', () => {
  /** Sends requests until one is refused, and cancels each, so that none waits. */
  async function askAndCancel(from: AnAgent): Promise<{ accepted: number; refused: Answer }> {
    for (let accepted = 0; ; accepted++) {
      const answer = await ask(from, { params: { accepted } })
      if (answer.status !== 200) return { accepted, refused: answer }
      const body = { peck_id: answer.body.peck_id }
      await call('POST /beak/peck/cancel', { token: operator.token, body })
    }
  }

  // security: asker-7
  it('refuses the 21st request of an operator and its agents, although the others were cancelled', async () => {
    const { accepted, refused } = await askAndCancel(agent)
    expect(accepted).toBe(20)
    expect([refused.status, refused.body.reason]).toEqual([429, 'too_many_pecks'])
    expect(refused.body.retry_after).toBeGreaterThan(72 * 60 - 60)
    expect(refused.body.retry_after).toBeLessThanOrEqual(72 * 60)
    expect((await ask(await anAgent(operator))).body.reason).toBe('too_many_pecks')
    const other = await aDuckling()
    expect((await ask(agent, { target_duckling_id: other.id })).status).toBe(200)
    expect((await ask(await anAgent(await aDuckling()))).status).toBe(200)
  })

  it('gives one request back after an hour and 12 minutes', async () => {
    await askAndCancel(agent)
    await db().budget.updateMany({
      where: { key: { startsWith: operator.id } },
      data: { refilledAt: secondsAfter(new Date(), -72 * 60) },
    })
    expect((await askAndCancel(agent)).accepted).toBe(1)
  })

  // security: asker-7
  it('is not exceeded by simultaneous requests of several agents', async () => {
    const limits = { ...config().limits, ask: daily(3, 3) }
    const before = config()
    useConfig({ limits })
    const agents = [agent, await anAgent(operator), await anAgent(operator)]
    const answers = await Promise.all(
      agents.flatMap((from) => [1, 2, 3].map((index) => ask(from, { params: { index } }))),
    )
    useConfig(before)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(new Set(answers.map(({ body }) => body.reason ?? null))).toEqual(new Set([null, 'too_many_pecks']))
  })

  it('costs nothing for a request that is returned again', async () => {
    const [first] = [await ask(agent), await ask(agent), await ask(agent)]
    expect(first.status).toBe(200)
    const budgets = await db().budget.findMany({ where: { key: { startsWith: operator.id } } })
    expect(budgets.map(({ tokens }) => tokens)).toEqual([19])
  })

  it('does not hold for a person’s own agents, of which 50 requests may wait', async () => {
    const own = { target_duckling_id: operator.id }
    const answers = await Promise.all(
      Array.from({ length: 55 }, (_, index) => ask(agent, { ...own, params: { index } })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.length - refused.length).toBe(50)
    expect(new Set(refused.map(({ body }) => body.reason))).toEqual(new Set(['too_many_pending_pecks']))
    expect(await db().budget.count({ where: { key: { startsWith: operator.id } } })).toBe(0)
  })
})

describe('people whom the target does not know', () => {
  const inbox = async (query = '') =>
    (await call(`GET /beak/peck/inbox${query}`, { token: target.token })).body
  const pending = async () =>
    (await call('GET /beak/profile/overview', { token: target.token })).body.pending_pecks
  const waitingMails = async () => db().peckMail.count({ where: { ducklingId: target.id } })

  // security: asker-2
  it('send a number of requests a day into the first list, at 50 simultaneous ones, and the others wait in the second', async () => {
    const { limits } = config()
    useConfig({ limits: { ...limits, strangers: daily(20, 20) } })
    onTestFinished(() => useConfig({ limits }))
    const strangers = await Promise.all(Array.from({ length: 10 }, () => aDuckling()))
    const answers = await Promise.all(
      strangers.flatMap((stranger) =>
        ['read:a', 'read:b', 'read:c', 'read:d', 'read:e'].map((action) => ask(stranger, { action })),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [first, second] = [await inbox(), await inbox('?list=strangers')]
    expect([first.total, first.strangers, second.total, second.strangers]).toEqual([20, 30, 30, 30])
    expect([await pending(), await waitingMails()]).toEqual([20, 20])
    const where = { ducklingId: target.id, action: 'peck.sent' }
    expect(await db().auditEvent.count({ where })).toBe(20)
    // An asker sees no difference.
    expect(answers.map(({ body }) => Object.keys(body).sort().join())).toEqual(
      Array(50).fill(
        Object.keys(answers[0]?.body ?? {})
          .sort()
          .join(),
      ),
    )
  })

  it('use no budget of known askers and of own agents, and leave the second list with the first approval', async () => {
    const [known, stranger] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(known, target)
    const { limits } = config()
    useConfig({ limits: { ...limits, strangers: daily(1, 1) } })
    onTestFinished(() => useConfig({ limits }))
    await ask(await aDuckling())
    const { peck_id } = (await ask(stranger)).body
    const other = (await ask(stranger, { action: 'read:cert' })).body.peck_id
    await ask(known, { action: 'read:cert' })
    const own = await anAgent(target)
    await ask(own)
    expect(await inbox()).toMatchObject({ total: 3, strangers: 2 })
    await call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
    expect(await inbox()).toMatchObject({ total: 4, strangers: 0 })
    expect(await pending()).toBe(4)
    await call('POST /beak/peck/cancel', { token: stranger.token, body: { peck_id: other } })
    const where = { ducklingId: target.id, action: 'peck.cancelled' }
    expect(await db().auditEvent.count({ where })).toBe(1)
  })

  // security: asker-2
  it('cause one mail a day, which a request of a known asker takes along', async () => {
    const known = await aDuckling()
    await acquaint(target, known.id)
    const listed = async () => {
      const mails = (await sentTo(target.email)).filter(({ kind }) => kind === 'peck_waiting')
      return mails.flatMap(({ text }) => [...text.matchAll(/pecks\/(PECK-\w+)/g)].map(([, id]) => id))
    }
    // As if the pause of ten minutes between two mails were over.
    const endPause = () =>
      db().peckNotice.update({ where: { ducklingId: target.id }, data: { mailedAt: null } })
    const first = (await ask(await aDuckling())).body.peck_id
    expect(await listed()).toEqual([first])
    await endPause()
    const second = (await ask(await aDuckling())).body.peck_id
    const { round, strangersAt } = await db().peckNotice.findUniqueOrThrow({
      where: { ducklingId: target.id },
    })
    expect(strangersAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    const payload = { path: ['round'], equals: round }
    const [due] = await db().outbox.findMany({
      where: {
        kind: 'peck_mail',
        AND: [{ payload }, { payload: { path: ['duckling_id'], equals: target.id } }],
      },
    })
    expect(due?.dueAt).toEqual(strangersAt)
    expect(await listed()).toEqual([first])
    const third = (await ask(known)).body.peck_id
    expect((await listed()).sort()).toEqual([first, second, third].sort())
  })
})
