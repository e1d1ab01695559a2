/** Each endpoint of rules over the API: for its owner, and against strangers, thieves of a session and hostile agents. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { pauseRule } from '@/lib/domain/pecks/rules/commands'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})

const post = (name: string, body: object, { token } = owner) =>
  call(`POST /beak/rule/${name}`, { token, body })
const get = (name: string, { token } = owner) => call(`GET /beak/rule/${name}`, { token })
const rule = (change: Partial<SentRule> = {}) => shopRule(agent.agentId, change)
const make = (change: Partial<SentRule> = {}) => aRule(owner, passkey.authenticator, rule(change))
const sign = async (request: object) =>
  passkey.authenticator.get(
    (
      await call('POST /beak/passkey/challenge', {
        token: owner.token,
        body: { purpose: 'rule', ...request },
      })
    ).body,
  )
const pay = (amount: unknown, more: object = {}) =>
  call('POST /beak/peck/request', {
    key: agent.beakKey,
    body: {
      target_duckling_id: owner.id,
      action: 'pay:invoice',
      scope: 'limited',
      params: { amount, to: 'shop@example.com' },
      ...more,
    },
  })

describe('POST /beak/rule/create', () => {
  it('makes a rule that answers the next request of the agent', async () => {
    const made = await post('create', { rule: rule(), passkey: await sign({ rule: rule() }) })
    expect(made.body).toMatchObject({ status: 'on', rule: { mode: 'on', expires_in: 2_592_000 } })
    expect((await pay('€38.00')).body).toMatchObject({
      status: 'approved',
      grant_token: expect.any(String),
      decided_by: { type: 'rule', rule_id: made.body.rule_id },
    })
  })

  // security: agent-6, agent-7
  it('refuses forms that are no rule', async () => {
    const forms: Partial<Record<keyof SentRule, unknown>>[] = [
      { params: { amount: { at_most: 'fifty euros' } } },
      { params: { amount: { at_most: '€50.00', at_least: '€1.00' } } },
      { params: { amount: { at_most: '4.800 €' } } },
      { params: { amount: { between: ['€5.00', 'US$6.00'] } } },
      { params: { to: { domain: 'Example.com' } } },
      { params: { file: { path_below: 'relative' } } },
      ...['/', '/srv/..', '/srv/../etc', '/srv/./work', '/srv//work', '/srv/work/'].map((folder) => ({
        params: { file: { path_below: folder } },
      })),
      { params: { to: { domain: 'xn--a.com' } } },
      { params: { amount: { at_most: '€0050.00' } } },
      { params: { amount: { between: ['€1.00', '00000050 EUR'] } } },
      { params: { start: { at_least: '2026-12-24T18:00:00+23:59' } } },
      { budget: { amount: 'EUR 0100' } },
      ...['to', 'beneficiary', 'iban', 'webhook_url', 'callback', 'phone', 'sql', 'tо'].map((name) => ({
        params: { ...rule().params, [name]: { any: true as const } },
      })),
      { actions: ['pay invoice'] },
      { actions: [] },
      { operator_id: 'DUCK-00000000000000000000000000' },
      { expires_in: 31_536_001 },
      { budget: { uses: 0 } },
      { budget: { uses_each: 1 } },
      { answer: 'allow' },
    ]
    // A rehearsal costs tokens even when the rule is none.
    await db().duckling.update({ where: { id: owner.id }, data: { limitRate: 600_000, limitBurst: 600_000 } })
    for (const change of forms) {
      const { status } = await post('rehearse', { rule: { ...rule(), ...change } })
      expect([change, status]).toEqual([change, 400])
    }
  })

  it('needs a passkey: a thief of the session makes no rule', async () => {
    const { status } = await post('create', { rule: rule() })
    expect(status).toBe(400)
    const guessed = await post('create', {
      rule: rule(),
      passkey: await sign({ rule_id: 'RULE-0' }).catch(() => ({})),
    })
    expect(guessed.status).toBe(400)
  })
})

describe('POST /beak/rule/rehearse', () => {
  it('counts what the rule would have answered, and says why not the rest', async () => {
    await pay('€38.00')
    await pay('€40.00', { params: { amount: '€40.00', to: 'other@example.com' } })
    const { body } = await post('rehearse', { rule: rule() })
    expect(body).toMatchObject({ days: 30, asked: 2, answered: 1, amount: '€38.00' })
    expect(body.others).toMatchObject([{ why: [{ why: 'value', param: 'to' }] }])
    expect(await db().rule.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('says which param is close to a rule that rejects', async () => {
    await pay('€40.00', { params: { amount: '€40.00', to: 'Shop@example.com' } })
    const sent = rule({ answer: 'reject', params: { to: { equals: 'shop@example.com' } } })
    const { body } = await post('rehearse', { rule: sent })
    expect(body).toMatchObject({ answered: 0 })
    expect(body.others[0].why).toEqual([
      { why: 'close', param: 'to' },
      { why: 'unnamed', param: 'amount' },
    ])
  })
})

describe('POST /beak/rule/update', () => {
  it('makes a rule narrower with one tap', async () => {
    const { rule_id } = await make()
    const { body } = await post('update', { rule_id, rule: rule({ budget: { uses: 1 } }) })
    expect(body.left).toEqual({ uses: 1, uses_each: null, amount: null })
  })
})

describe('POST /beak/rule/pause and POST /beak/rule/resume', () => {
  it('pause at once, and resume with a signature', async () => {
    const { rule_id } = await make()
    expect((await post('pause', { rule_id })).body).toMatchObject({ status: 'paused', reason: 'owner' })
    const resumed = await post('resume', { rule_id, passkey: await sign({ rule_id }) })
    expect(resumed.body).toMatchObject({ status: 'on', reason: null })
  })

  it('pause all rules with one switch', async () => {
    await make()
    expect((await post('pause', { all: true })).body).toEqual({ paused: true })
    expect((await pay('€1.00')).body.status).toBe('pending')
  })
})

describe('POST /beak/rule/end', () => {
  it('ends a rule for good', async () => {
    const { rule_id } = await make()
    expect((await post('end', { rule_id })).body.status).toBe('ended')
    expect((await post('pause', { rule_id })).body.reason).toBe('rule_ended')
    expect((await pay('€1.00')).body.status).toBe('pending')
  })
})

describe('GET /beak/rule/list, GET /beak/rule/view and GET /beak/rule/answers', () => {
  it('show the rules of the caller and what they answered, and nobody else’s', async () => {
    const { rule_id } = await make()
    const { peck_id } = (await pay('€38.00')).body
    const stranger = await aDuckling()
    expect((await get('list')).body.items).toMatchObject([{ rule_id, used: { uses: 1 } }])
    expect((await get(`view?rule_id=${rule_id}`)).body.answers).toMatchObject([{ peck_id, cost: '€38.00' }])
    expect((await get('answers')).body.items).toMatchObject([{ peck_id, rule_id, answer: 'approved' }])
    expect((await get('list', stranger)).body.items).toEqual([])
    expect((await get('answers', stranger)).body.items).toEqual([])
  })
})

describe('POST /beak/rule/budget and GET /beak/rule/budgets', () => {
  it('limit an agent over all rules, and allow more only after a passkey', async () => {
    const { agentId: agent_id } = agent
    await make()
    await post('budget', { agent_id, budget: { amount: '€10.00', per: 'day' } })
    expect((await pay('€11.00')).body.status).toBe('pending')
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: null } })
    for (const budget of [null, { amount: '€11.00', per: 'day' }, { amount: '€10.00' }])
      expect((await post('budget', { agent_id, budget })).body.reason).toBe('fresh_passkey_needed')
    expect((await get('budgets')).body.items).toMatchObject([{ agent_id, left: { amount: '€10.00' } }])
  })

  it('never give back uses of the day when a limit for money is added, nor with another time zone', async () => {
    const { agentId: agent_id } = agent
    await make()
    await post('budget', { agent_id, budget: { uses_each: 1, per: 'day' } })
    expect((await pay('€1.00')).body.status).toBe('approved')
    await db().duckling.update({ where: { id: owner.id }, data: { browserTimeZone: 'Pacific/Kiritimati' } })
    await post('budget', { agent_id, budget: { uses_each: 1, per: 'day', amount: '€40.00' } })
    expect((await pay('€2.00')).body.status).toBe('pending')
  })
})

describe('a hostile agent', () => {
  it.each([
    ['a negative amount', '-€38.00'],
    ['a huge amount', '€99999999999999999999.00'],
    ['Unicode digits', '€３８.00'],
    ['an exponent', '€1e1'],
    ['an object with another currency', { amount: 38, currency: 'USD' }],
    ['an object with one more member', { amount: 38, currency: 'EUR', tip: 900 }],
    ['a list', ['€38.00']],
    ['a number without a currency', 38],
    ['null', null],
    ['two readings', '4.800 €'],
  ])('gets no answer of a rule for %s', async (_, amount) => {
    await make()
    expect((await pay(amount)).body.status ?? 'refused').not.toBe('approved')
  })

  it.each(['__proto__', 'constructor', 'toString', ' amount', 'amount\u200b'])(
    'gets no answer of a rule for the param %j besides the others',
    async (name) => {
      await make()
      const params = JSON.parse(`{"amount":"€38.00","to":"shop@example.com",${JSON.stringify(name)}:"x"}`)
      expect((await pay('', { params })).body.status ?? 'refused').not.toBe('approved')
    },
  )
})

describe('a rehearsal', () => {
  async function rehearsal() {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const { agentId } = await anAgent(owner)
    const { rule_id } = await aRule(owner, authenticator, shopRule(agentId))
    const rehearse = (change = {}, body: object = { rule_id }) =>
      call('POST /beak/rule/rehearse', {
        token: owner.token,
        body: { rule: shopRule(agentId, change), ...body },
      })
    return { owner, rule_id, rehearse }
  }

  const narrow = { params: { amount: { at_most: '€20.00' }, to: { equals: 'shop@example.com' } } }
  const wide = { params: { amount: { at_most: '€80.00' }, to: { equals: 'shop@example.com' } } }

  describe('needs_passkey', () => {
    it('is true for a new rule and a wider one, and false for a narrower one', async () => {
      const { rehearse } = await rehearsal()
      const needs = async (...sent: Parameters<typeof rehearse>) =>
        (await rehearse(...sent)).body.needs_passkey
      expect(await needs(narrow, {})).toBe(true)
      expect(await needs(wide)).toBe(true)
      expect(await needs(narrow)).toBe(false)
    })

    it('is true for a paused rule, even when it becomes narrower', async () => {
      const { owner, rule_id, rehearse } = await rehearsal()
      await pauseRule(await owner.context(), rule_id)
      expect((await rehearse(narrow)).body.needs_passkey).toBe(true)
    })
  })
})
