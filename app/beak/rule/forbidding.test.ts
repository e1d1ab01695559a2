/** Who takes away what forbids: only the person, with a signature or a recent proof. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { endExpiredRules } from '@/lib/domain/rules/end-rules'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'
import { anotherSession } from '@/lib/fixtures/accounts'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
/** A session that a person approved for somebody else, and one that began with a code an hour ago. */
let device: string
let code: string
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
  const { sessionId: id } = (await owner.context()).caller
  device = await anotherSession(owner)
  await db().session.updateMany({
    where: { ducklingId: owner.id, id: { not: id } },
    data: { amr: ['device'] },
  })
  code = await anotherSession(owner)
  await db().session.update({ where: { id }, data: { passkeyAt: readClock() } })
})

const make = (change: Partial<SentRule> = {}) =>
  aRule(owner, passkey.authenticator, shopRule(agent.agentId, change))
const post = (name: string, body: object, token = owner.token) =>
  call(`POST /beak/rule/${name}`, { token, body })
const sign = async (request: object) => {
  const { body } = await call('POST /beak/passkey/challenge', {
    token: owner.token,
    body: { purpose: 'rule', ...request },
  })
  return passkey.authenticator.get(body)
}
const pay = async (amount: string, to = 'mallory@example.com') =>
  (await aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to } })).status

async function removePasskeys(where: Sql): Promise<void> {
  const context = await owner.context()
  await transaction((tx) => deletePasskeys(tx, context, { ducklingId: owner.id, where }))
}

const wide = { params: { amount: { at_most: '€50.00' }, to: { domain: 'example.com' } } }
const mallory = { amount: { at_most: '€50.00' }, to: { equals: 'mallory@example.com' } }
const forbids = (answer: 'reject' | 'ask') => ({ answer, params: mallory })

/** Every way to take a rule away, or a part of it, without a signature. */
const changes = (rule_id: string, form: Partial<SentRule>): [string, object][] => {
  const rule = shopRule(agent.agentId, form)
  return [
    ['end', { rule_id }],
    ['pause', { rule_id }],
    ['update', { rule_id, rule: { ...rule, mode: 'watch' } }],
    ['update', { rule_id, rule: { ...rule, expires_in: 60 } }],
    ['update', { rule_id, rule: { ...rule, budget: { ...rule.budget, uses: 1 } } }],
    ['update', { rule_id, rule: { ...rule, params: { ...rule.params, amount: { at_most: '€0.01' } } } }],
  ]
}

describe('a rule that rejects or asks, and the exception of another rule', () => {
  const forms: [string, Partial<SentRule>, string][] = [
    ['rejects', forbids('reject'), 'rejected'],
    ['asks', forbids('ask'), 'pending'],
    ['is an exception', { params: mallory, budget: { amount: '€1.00' } }, 'pending'],
  ]
  // security: session-7
  it.each(forms)('that %s is changed by no session without a recent proof', async (_, form, answer) => {
    await make(wide)
    const { rule_id } = await make(form)
    for (const token of [device, code])
      for (const [name, body] of changes(rule_id, form)) {
        const { status, body: refused } = await post(name, body, token)
        expect([name, status, refused.reason]).toEqual([name, 403, 'fresh_passkey_needed'])
      }
    expect(await pay('€41.00')).toBe(answer)
  })

  it.each(forms)('that %s is changed by a session that a passkey confirmed just before', async (_, form) => {
    await make(wide)
    for (const at of [0, 1, 2, 3, 4, 5]) {
      const { rule_id } = await make(form)
      const [name = '', body = {}] = changes(rule_id, form)[at] ?? []
      expect((await post(name, body)).status).toBe(200)
    }
  })

  it('stays when the session of a device belongs to an account without a passkey', async () => {
    const { rule_id } = await make(forbids('reject'))
    await removePasskeys(sql`true`)
    expect((await post('end', { rule_id }, device)).body.reason).toBe('fresh_sign_in_needed')
    expect((await post('end', { rule_id }, code)).body.status).toBe('ended')
  })

  it('is named by the rehearsal as one that needs the passkey', async () => {
    const { rule_id } = await make(forbids('ask'))
    const needs = async (form: Partial<SentRule>, id = rule_id) =>
      (await post('rehearse', { rule_id: id, rule: shopRule(agent.agentId, form) })).body.needs_passkey
    expect(await needs({ ...forbids('ask'), budget: { uses: 1 } })).toBe(true)
    const alone = await make({ actions: ['pay:bill'] })
    expect(await needs({ actions: ['pay:bill'], mode: 'watch' }, alone.rule_id)).toBe(false)
  })
})

describe('the emergency brake', () => {
  it('needs no proof: all rules, and one that only approves and is no exception', async () => {
    const first = await make(wide)
    const second = await make({ actions: ['pay:bill'] })
    await make(forbids('reject'))
    expect((await post('pause', { rule_id: first.rule_id }, device)).body.status).toBe('paused')
    expect((await post('end', { rule_id: second.rule_id }, device)).body.status).toBe('ended')
    expect((await post('pause', { all: true }, device)).body).toEqual({ paused: true })
    expect(await pay('€1.00', 'shop@example.com')).toBe('pending')
  })

  it('needs no proof for a rule that is wider than all others', async () => {
    const { rule_id } = await make(wide)
    await make({ params: mallory })
    expect((await post('end', { rule_id }, device)).body.status).toBe('ended')
    expect([await pay('€2.00'), await pay('€2.00', 'shop@example.com')]).toEqual(['approved', 'pending'])
  })
})

describe('what a rule that rejects says is asked', () => {
  it('while it is paused, and it rejects again once a passkey has signed it', async () => {
    await make(wide)
    const { rule_id } = await make(forbids('reject'))
    await post('pause', { rule_id })
    expect([await pay('€3.00'), await pay('€3.00', 'shop@example.com')]).toEqual(['pending', 'approved'])
    await post('resume', { rule_id, passkey: await sign({ rule_id }) })
    expect(await pay('€4.00')).toBe('rejected')
  })

  it('while the passkey that signed it is gone', async () => {
    const { id } = passkey
    await make(forbids('reject'))
    passkey = await aPasskey(owner)
    await make(wide)
    await removePasskeys(sql`"id" = ${id}`)
    expect([await pay('€3.00'), await pay('€3.00', 'shop@example.com')]).toEqual(['pending', 'approved'])
  })

  // security: session-7
  it('after its time, also after the worker has said so once, until it is renewed or ended', async () => {
    await make(wide)
    const { rule_id } = await make(forbids('reject'))
    const past = secondsAfter(readClock(), -1)
    await db().rule.update({ where: { id: rule_id }, data: { expiresAt: past } })
    expect(await pay('€3.00')).toBe('pending')
    for (let turn = 0; turn < 2; turn++) await endExpiredRules(readClock())
    expect(await pay('€4.00')).toBe('pending')
    const ends = { ducklingId: owner.id, action: 'rule.ended' }
    expect(await db().auditEvent.count({ where: ends })).toBe(1)
    const view = await call(`GET /beak/rule/view?rule_id=${rule_id}`, { token: owner.token })
    expect(view.body).toMatchObject({ status: 'expired', reason: 'expired', ended_at: null })
    for (const name of ['pause', 'end'])
      expect([name, (await post(name, { rule_id }, device)).status]).toEqual([
        name,
        name === 'end' ? 403 : 409,
      ])

    const rule = shopRule(agent.agentId, forbids('reject'))
    const renewed = await post('update', { rule_id, rule, passkey: await sign({ rule_id, rule }) })
    expect(renewed.body).toMatchObject({ status: 'on', reason: null })
    expect(await pay('€5.00')).toBe('rejected')

    await db().rule.update({ where: { id: rule_id }, data: { expiresAt: past } })
    expect((await post('end', { rule_id })).body.status).toBe('ended')
    expect(await pay('€6.00')).toBe('approved')
  })
})

describe('an approving rule that is paused', () => {
  it('leaves to the person what it answered, although a wider one would approve it', async () => {
    await make(wide)
    const { rule_id } = await make({ params: mallory })
    await post('pause', { rule_id })
    expect([await pay('€3.00'), await pay('€3.00', 'shop@example.com')]).toEqual(['pending', 'approved'])
  })
})

describe('races', () => {
  it('end a wider rule once, of 50 simultaneous calls, beside a change of the narrower one', async () => {
    const { rule_id } = await make(wide)
    const narrow = await make({ params: mallory })
    const change = {
      rule_id: narrow.rule_id,
      rule: shopRule(agent.agentId, { params: mallory, budget: { uses: 1 } }),
    }
    const [changed, ...ended] = await Promise.all([
      post('update', change, device),
      ...Array.from({ length: 50 }, () => post('end', { rule_id }, device)),
    ])
    expect(ended.every(({ body }) => body.status === 'ended')).toBe(true)
    // Free only after the wider rule has ended.
    expect([200, 403]).toContain(changed?.status)
    const ends = { ducklingId: owner.id, action: 'rule.ended', outcome: 'success' }
    expect(await db().auditEvent.count({ where: ends })).toBe(1)
    expect(await pay('€7.00', 'shop@example.com')).toBe('pending')
  })
})

describe('the mail', () => {
  it('names each change of a rule, also one that needs no proof', async () => {
    const { rule_id } = await make()
    const rule = shopRule(agent.agentId, { budget: { uses: 1 } })
    await post('update', { rule_id, rule }, device)
    await post('pause', { rule_id }, device)
    await post('end', { rule_id }, device)
    const mails = await sentTo(owner.email)
    const texts = mails.filter(({ kind }) => kind === 'sensitive_change').map(({ text }) => text)
    for (const sentence of [
      'A rule was changed or resumed.',
      'A rule was paused.',
      'One of your rules was ended',
    ])
      expect(texts.join('\n')).toContain(sentence)
  })

  it('names a budget that an agent gets', async () => {
    await post('budget', { agent_id: agent.agentId, budget: { uses: 9 } }, device)
    const mails = await sentTo(owner.email)
    expect(mails.map(({ text }) => text).join('\n')).toMatch(/The budget of the agent .+ was changed\./)
  })
})
