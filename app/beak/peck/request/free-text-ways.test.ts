/** All other ways to a permission, tried with a request in free text: by approvers, rules, terms, links, webhooks and records. */
import { freeTextAction } from '@beak/decision/free-text'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { anApprover, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { acquaint } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { config } from '@/lib/kernel/config'
import { drainOutbox } from '@/lib/worker/start'

const favour = 'borrow your car on Sunday'

let owner: ADuckling
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  agent = await anAgent(owner, { name: 'Scout' })
})

const post = (line: `POST ${string}`, body: object = {}, token = owner.token) =>
  // biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape
  call(line, { token, body }) as Promise<{ status: number; body: any }>

const asking = (params: object = { favour }, change: object = {}, key = agent.beakKey) =>
  call('POST /beak/peck/request', {
    key,
    body: { target: owner.id, action: freeTextAction, params, ...change },
  })

async function asked(params?: object): Promise<string> {
  const { status, body } = await asking(params)
  expect([status, body.status]).toEqual([200, 'pending'])
  return body.peck_id
}

const expectNoToken = async () => {
  expect(await db().grantToken.count({ where: { peckId: { in: await ids() } } })).toBe(0)
}
const ids = async () =>
  (await db().peck.findMany({ where: { targetDucklingId: owner.id, action: freeTextAction } })).map(
    ({ id }) => id,
  )

// security: agent-9
describe('an approval in another way', () => {
  it.each(['passkey', 'approver'] as const)('by a %s has no token either', async (by) => {
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    const approver = by === 'approver' ? await anApprover(owner, { covers: 'all' }) : null
    const peck_id = await asked()
    const { body: options } = await post('POST /beak/passkey/challenge', {
      purpose: 'approve',
      peck_id,
      ...(approver === null ? {} : { approver: true }),
    })
    const passkey = approver === null ? authenticator.get(options) : approver.sign(options)
    const { status, body } = await post('POST /beak/peck/approve', { peck_id, passkey })
    expect([status, body.status, body.grant_status]).toEqual([200, 'approved', 'expired'])
    await expectNoToken()
    const receipt = await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { key: agent.beakKey })
    expect(receipt.body).toMatchObject({ outcome: 'approved', passkey: expect.any(Object) })
    expect(JSON.stringify(receipt.body)).not.toContain('grant_token')
  })

  it('leaves an account whose approver decides everything to the approver', async () => {
    await confirmWithPasskey(owner, (await aPasskey(owner)).authenticator)
    await anApprover(owner, { covers: 'all' })
    const peck_id = await asked()
    expect((await post('POST /beak/peck/approve', { peck_id })).body.reason).toBe('approver_needed')
    const { body } = await post('POST /beak/peck/decide', { decision: 'approve', peck_ids: [peck_id] })
    expect(body.items).toMatchObject([{ outcome: 'passkey_needed', status: 'pending' }])
  })

  it('is not possible by the agent that asks, nor by another person', async () => {
    const peck_id = await asked()
    const other = await aDuckling()
    const tries = [
      await call('POST /beak/peck/approve', { key: agent.beakKey, body: { peck_id } }),
      await post('POST /beak/peck/approve', { peck_id }, other.token),
      await post('POST /beak/peck/decide', { decision: 'approve', peck_ids: [peck_id] }, other.token),
    ]
    expect(tries.map(({ status, body }) => body.items?.[0].outcome ?? status)).toEqual([403, 404, 'missing'])
  })

  it('has no smaller terms: an answer lasts for no time', async () => {
    const peck_id = await asked({ favour: 'lend me money', amount: '40.00', currency: 'EUR' })
    const reject = (would_approve: object) =>
      post('POST /beak/peck/reject', { peck_id, reason: 'Less', would_approve })
    for (const [terms, field] of [
      [{ grant_expires_in: 3600 }, 'would_approve.grant_expires_in'],
      [{ scope: 'limited' }, 'would_approve.scope'],
      [{ scope: 'timed' }, 'would_approve.scope'],
    ] as const)
      expect((await reject(terms)).body.errors).toMatchObject([{ field }])
    const less = await reject({ max_amount: { amount: '20.00', currency: 'EUR' } })
    expect(less.body).toMatchObject({
      status: 'rejected',
      would_approve: { max_amount: { amount: '20.00' } },
    })
    await expectNoToken()
  })
})

describe('a rule', () => {
  it.each([
    ['an object with a star, which is no wildcard', 'ask:fav*'],
    ['a longer object', 'ask:favour/car'],
    ['another object', 'ask:favours'],
  ])('for %s does not answer it', async (_, action) => {
    const { authenticator } = await aPasskey(owner)
    const params = { favour: { equals: favour } }
    await aRule(
      owner,
      authenticator,
      shopRule(agent.agentId, { actions: [action], params, reasons: ['unlisted'] }),
    )
    const answered = await asking({ favour }, { action })
    expect(answered.body.decided_by?.type).toBe('rule')
    await asked()
    await expectNoToken()
  })

  it.each(['ask:*', '*:favour', '*'])('with the wildcard %s is refused', async (action) => {
    const { authenticator } = await aPasskey(owner)
    const sent = shopRule(agent.agentId, { actions: [action], params: {} })
    await expect(aRule(owner, authenticator, sent)).rejects.toThrow()
    await asked()
  })

  it.each([
    ['an agent', {}],
    ['all agents of an operator', { agent_id: undefined, operator_id: 'owner' }],
    ['an agent, beside another action', { actions: ['read:weather', freeTextAction] }],
    ['an agent, without params', { params: {} }],
    ['an agent, to reject', { answer: 'reject' as const }],
    ['an agent, to watch', { mode: 'watch' as const }],
  ])('for %s that names it is refused, and the error says why', async (_, change) => {
    await aPasskey(owner)
    const sent = shopRule(agent.agentId, {
      actions: [freeTextAction],
      params: { favour: { equals: favour } },
      ...change,
      ...('operator_id' in change ? { operator_id: owner.id } : {}),
    })
    for (const [line, body] of [
      ['POST /beak/rule/rehearse', { rule: sent }],
      ['POST /beak/passkey/challenge', { purpose: 'rule', rule: sent }],
    ] as const)
      expect((await post(line, body)).body.errors).toEqual([
        { field: 'rule.actions', message: expect.stringContaining('must not name ask:favour') },
      ])
    await asked()
  })

  it.each([freeTextAction, '*'])('for %s is not made with a signature for another one', async (action) => {
    const { authenticator } = await aPasskey(owner)
    const signed = { ...shopRule(agent.agentId), params: { favour: { equals: favour } } }
    const { body: options } = await post('POST /beak/passkey/challenge', { purpose: 'rule', rule: signed })
    const { status } = await post('POST /beak/rule/create', {
      rule: { ...signed, actions: [action] },
      passkey: authenticator.get(options),
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await db().rule.count({ where: { ducklingId: owner.id } })).toBe(0)
    await asked()
  })

  it('cannot be changed to answer it', async () => {
    const { authenticator } = await aPasskey(owner)
    const params = { favour: { equals: favour } }
    const sent = { ...shopRule(agent.agentId, { actions: ['read:weather'], params }), expires_in: 86_400 }
    const { rule_id, rule } = await aRule(owner, authenticator, sent)
    const named = { ...rule, actions: [freeTextAction] }
    for (const line of [
      'POST /beak/rule/rehearse',
      'POST /beak/passkey/challenge',
      'POST /beak/rule/update',
    ] as const) {
      const body = { purpose: 'rule', rule_id, rule: named }
      const { purpose: _, ...plain } = body
      const { status } = await post(line, line.endsWith('challenge') ? body : plain)
      expect([line, status]).toEqual([line, 400])
    }
    await asked()
  })

  it.each(['ask:favour ', 'ASK:favour', 'ask:Favour', 'ask:\u200bfavour', 'ask:fav\u043eur'])(
    'meets no other spelling of the action: %j is refused',
    async (action) => {
      expect((await asking({ favour }, { action })).body.errors).toMatchObject([{ field: 'action' }])
    },
  )
})

describe('the words', () => {
  it.each([
    ['a carriage return', 'car\rBeak: approved'],
    ['a line separator', 'car\u2028Beak: approved'],
    ['an isolate', 'pay \u2067500\u2069'],
    ['a mark of direction', 'pay \u200f500'],
    ['a tag that nobody sees', 'car\u{e0041}'],
    ['a control character of terminals', 'car\u001b[2K'],
    ['a filler without a glyph', 'car\u3164'],
    ['a blank at the end', 'car '],
  ])('have not %s, in no fact either', async (_, text) => {
    const tries = [{ favour: text }, { favour, place: text }, { favour, file: text }]
    const answers = await Promise.all(tries.map((params) => asking(params)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  it('are one quoted value in mails: no link, no second line, no HTML of the asker', async () => {
    const friend = await anAgent(await aDuckling(), { name: 'Friend' })
    await acquaint(owner, friend.agentId)
    const words =
      '"Approved" <a href=https://evil.example>pay</a> www.evil.example x@evil.example [a](https://evil.example)'
    expect(
      (await asking({ favour: words, place: 'https://evil.example/p' }, {}, friend.beakKey)).status,
    ).toBe(200)
    const mails = (await sentTo(owner.email)).filter(({ text }) => text.includes('evil'))
    expect(mails.length).toBeGreaterThan(0)
    for (const { text, html: shown, subject } of mails) {
      const html = shown ?? ''
      const own = `${text}\n${subject}`.replaceAll(config().baseUrl, '')
      expect(own.match(/https?:\/\/\S*|www\.\w|\w@\w|evil\.example/g)).toBeNull()
      expect(html).not.toMatch(/<a [^>]*evil/)
      for (const [, address = ''] of html.matchAll(/href="([^"]*)"/g))
        expect(address.startsWith(config().baseUrl)).toBe(true)
    }
  })
})

describe('records of the answer', () => {
  it('have no token: webhooks, exports, the log, lists and what others see', async () => {
    const receiver = await aReceiver()
    await aWebhook(receiver.url, { owner })
    const peck_id = await asked()
    expect((await post('POST /beak/peck/approve', { peck_id })).status).toBe(200)
    await drainOutbox()
    const shared = await post('POST /beak/peck/share', { peck_id })
    const read = async (line: string, credential: object) =>
      JSON.stringify((await call(line as 'GET /beak/audit', credential)).body)
    const texts = [
      ...receiver.requests.map(({ body }) => body),
      JSON.stringify(shared.body),
      await read('GET /beak/audit', { token: owner.token }),
      await read('GET /beak/account/export', { token: owner.token }),
      await read('GET /beak/peck/history?direction=received', { token: owner.token }),
      await read('GET /beak/peck/history?direction=sent', { key: agent.beakKey }),
      await read(`GET /beak/peck/uses?peck_id=${peck_id}`, { token: owner.token }),
    ]
    expect(receiver.requests.map(({ body }) => JSON.parse(body).type)).toContain('peck.approved')
    for (const text of texts)
      expect(text).not.toMatch(/grant_token|"sealed"|eyJ[\w-]+\.[\w-]+\.[\w-]{86}"[^}]*peck\+jwt/)
    await expectNoToken()
  })
})
