/** What an agent, or a thief of a session, tries so that a budget allows more than it says (docs/security.md). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { settleUses } from '@/lib/domain/pecks/rules/report'
import { revokeForWorker } from '@/lib/domain/pecks/rules/unused'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'
import { day, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date('2027-03-10T12:00:00Z'))
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})
afterEach(() => void vi.useRealTimers())

type Given = Awaited<ReturnType<typeof pay>>

const sent = (change: Partial<SentRule> = {}) => shopRule(agent.agentId, change)
const make = (change: Partial<SentRule> = {}) => aRule(owner, passkey.authenticator, sent(change))
const post = async (name: string, body: object) =>
  (await call(`POST /beak/rule/${name}`, { token: owner.token, body })).body
const pay = (amount: string, seconds = 30 * day) =>
  aPeck(agent, owner, {
    action: 'pay:invoice',
    params: { amount, to: 'shop@example.com' },
    grantExpiresIn: seconds,
    expiresIn: 60,
  })
const consume = ({ grant_token, params }: Given) =>
  call('POST /beak/peck/consume', { body: { grant_token, params } })
const approvals = (given: Given[]) => given.filter(({ status }) => status === 'approved').length
/** Asks so often, one after the other. */
async function payOften(times: number, amount = '€50.00'): Promise<Given[]> {
  const given = []
  for (let time = 0; time < times; time++) {
    given.push(await pay(amount))
    vi.setSystemTime(secondsAfter(readClock(), 61))
  }
  return given
}
const left = async (rule_id: string) =>
  (await call(`GET /beak/rule/view?rule_id=${rule_id}`, { token: owner.token })).body.left.amount
async function removePasskeys(ids: string[]): Promise<void> {
  const context = await owner.context()
  const where = sql`"id" = ANY(${ids}::text[])`
  await transaction((tx) => deletePasskeys(tx, context, { ducklingId: owner.id, where }))
}
/** Does what the worker does within seconds. */
async function revokeEnqueued(ruleId: string): Promise<void> {
  const { payload } = await db().outbox.findFirstOrThrow({
    where: { kind: 'revoke_by_rules', payload: { path: ['rule_ids'], array_contains: [ruleId] } },
  })
  await revokeForWorker(payload as unknown as Parameters<typeof revokeForWorker>[0], readClock())
}
const moveTo = (time: string) => void vi.setSystemTime(new Date(time))

describe('a limit that is set while permissions wait', () => {
  // security: asker-30
  it.each([
    ['in all', { amount: '€100.00' }],
    ['each month', { amount: '€100.00', per: 'month' }],
  ] as const)('%s counts them, and gets back only what they had cost', async (_, budget) => {
    const { rule_id } = await make()
    const waiting = await payOften(4)
    await post('update', { rule_id, rule: sent({ budget }) })
    expect(await left(rule_id)).toBe('€0.00')
    expect(approvals(await payOften(1))).toBe(0)
    for (const { peck_id } of waiting)
      await call('POST /beak/peck/revoke', { token: owner.token, body: { peck_id } })
    expect(await left(rule_id)).toBe('€100.00')
    expect(approvals(await payOften(4))).toBe(2)
  })

  it('of an agent counts them too, also after it was removed and set again', async () => {
    await make()
    const { agentId: agent_id } = agent
    await post('budget', { agent_id, budget: { amount: '€100.00' } })
    const waiting = await payOften(2)
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: readClock() } })
    await post('budget', { agent_id, budget: null })
    waiting.push(...(await payOften(2)))
    const set = await post('budget', { agent_id, budget: { amount: '€100.00' } })
    expect(set).toMatchObject({ used: { uses: 4, amount: '€200.00' }, left: { amount: '€0.00' } })
    for (const { peck_id } of waiting)
      await call('POST /beak/peck/revoke', { token: owner.token, body: { peck_id } })
    expect(approvals(await payOften(4))).toBe(2)
  })

  it('counts what was given on an earlier day and used on this one', async () => {
    const { rule_id } = await make()
    const given = await pay('€50.00')
    moveTo('2027-03-11T11:00:00Z')
    await consume(given)
    await post('update', { rule_id, rule: sent({ budget: { amount: '€60.00', per: 'day' } }) })
    expect(await left(rule_id)).toBe('€10.00')
  })

  it('gets nothing back from permissions in another currency', async () => {
    const { rule_id } = await make({
      params: { amount: { at_most: '€50.00' }, to: { equals: 'shop@example.com' } },
    })
    const [euros] = await payOften(1)
    const dollars = sent({
      params: { amount: { at_most: 'US$50.00' }, to: { equals: 'shop@example.com' } },
      budget: { amount: 'US$100.00' },
    })
    const options = await call('POST /beak/passkey/challenge', {
      token: owner.token,
      body: { purpose: 'rule', rule: dollars, rule_id },
    })
    await post('update', { rule_id, rule: dollars, passkey: passkey.authenticator.get(options.body) })
    expect(approvals(await payOften(2, 'US$50.00'))).toBe(2)
    await call('POST /beak/peck/revoke', { token: owner.token, body: { peck_id: euros?.peck_id } })
    expect(await left(rule_id)).toBe('US$0.00')
  })
})

describe('permissions that are kept for later', () => {
  // security: asker-31
  it('end with the period that they were charged to', async () => {
    await make({ budget: { amount: '€10.00', per: 'day' } })
    const kept: Given[] = []
    for (const date of ['11', '12', '13', '14']) {
      moveTo(`2027-03-${date}T12:00:00Z`)
      kept.push(await pay('€10.00'))
    }
    expect(kept.map(({ grant_expires_at }) => grant_expires_at)).toEqual(
      ['12', '13', '14', '15'].map((date) => new Date(`2027-03-${date}T00:00:00Z`)),
    )
    const used = await Promise.all(kept.map(consume))
    expect(used.map(({ status }) => status)).toEqual([409, 409, 409, 200])
  })

  // security: asker-31
  it('live five minutes just before the end of a period, and both periods count them', async () => {
    const { rule_id } = await make({ budget: { amount: '€10.00', per: 'day' } })
    moveTo('2027-03-10T23:58:00Z')
    const late = await pay('€10.00')
    expect(late.grant_expires_at).toEqual(new Date('2027-03-11T00:03:00Z'))
    moveTo('2027-03-11T00:02:00Z')
    expect(await left(rule_id)).toBe('€0.00')
    expect((await pay('€10.00')).status).toBe('pending')
    await call('POST /beak/peck/revoke', { token: owner.token, body: { peck_id: late.peck_id } })
    expect(await left(rule_id)).toBe('€10.00')
    moveTo('2027-03-11T00:04:00Z')
    expect((await pay('€10.00')).status).toBe('approved')
  })

  // security: asker-31
  it('end with their rule, even when it is shortened', async () => {
    const { rule_id, expires_at } = await make({ expires_in: 3600 })
    const given = await pay('€10.00')
    expect(given.grant_expires_at?.toString()).toBe(new Date(expires_at as Date).toString())
    await post('update', { rule_id, rule: sent({ expires_in: 60 }) })
    vi.setSystemTime(secondsAfter(readClock(), 61))
    expect((await consume(given)).body.current_status).toBe('expired')
    await settleUses(secondsAfter(readClock(), 5 * minute))
    expect(await db().ruleUse.findFirst({ where: { ruleId: rule_id } })).toMatchObject({ state: 'returned' })
  })

  it('end with the period of the budget of their agent', async () => {
    await make()
    await post('budget', { agent_id: agent.agentId, budget: { uses_each: 1, per: 'week' } })
    expect((await pay('€10.00')).grant_expires_at).toEqual(new Date('2027-03-15T00:00:00Z'))
  })
})

describe('the end of a rule', () => {
  it('revokes what nobody has used, after the preview has counted it, and tells both sides', async () => {
    const { rule_id } = await make()
    const [first, second] = await payOften(2)
    await consume(first as Given)
    const preview = await call(`GET /beak/rule/end/preview?rule_id=${rule_id}`, { token: owner.token })
    expect(preview.body).toEqual({ rule_id, active_grants: 1 })
    expect(await post('end', { rule_id })).toMatchObject({
      status: 'ended',
      revoked_grants: [second?.peck_id],
    })
    expect((await consume(second as Given)).body.current_status).toBe('revoked')
    const events = await db().auditEvent.findMany({ where: { ducklingId: owner.id, action: 'peck.revoked' } })
    expect(events.map(({ metadata }) => metadata)).toMatchObject([{ cause: 'rule_ended', rule_id }])
    expect(await post('end', { rule_id })).toMatchObject({ revoked_grants: [] })
  })

  // security: asker-32
  it('leaves nothing of 50 requests at the same time', async () => {
    const { rule_id } = await make()
    const asking = Promise.all(Array.from({ length: 50 }, (_, at) => pay(`€${at + 1}.00`)))
    expect(await post('end', { rule_id })).toMatchObject({ status: 'ended' })
    const given = (await asking).filter(({ status }) => status === 'approved')
    const used = await Promise.all(given.map(consume))
    expect(used.filter(({ status }) => status === 200)).toEqual([])
  })
})

describe('a budget of money', () => {
  const euro = { currency: { equals: 'EUR' } }
  const to = { equals: 'shop@example.com' }
  const list = { items: ['€40.00'] }
  const object = { value: 40, currency: 'EUR' }
  /** Rules that the person signed, and requests of €40 within them of which the judge counts nothing, or a part. */
  const uncounted: [string, NonNullable<SentRule['params']>, Record<string, unknown>][] = [
    ['cents', { amount_cents: { at_most: 4000 }, ...euro }, { amount_cents: 4000, currency: 'EUR' }],
    ['another form', { price: { equals: '40,00 EUR' } }, { price: '40,00 EUR' }],
    ['a total', { total: { at_most: 50 }, ...euro }, { total: 40, currency: 'EUR' }],
    ['an object', { price: { unchanged: object } }, { price: object }],
    ['a list', { items: { unchanged: list.items } }, list],
    ['no amount', { to }, { to: 'shop@example.com' }],
    [
      'a total beside a fee',
      { amount: { at_most: '€5.00' }, total: { at_most: 50 }, ...euro },
      { amount: '€1.00', total: 40, currency: 'EUR' },
    ],
  ]
  const ask = (params: Record<string, unknown>) => aPeck(agent, owner, { action: 'pay:invoice', params })

  // security: asker-39
  it.each(uncounted)('of an agent lets no rule answer what it cannot count: %s', async (_, params, asked) => {
    await make({ params, reasons: ['money'] })
    const first = await ask(asked)
    await post('budget', { agent_id: agent.agentId, budget: { amount: '€10.00', per: 'month' } })
    expect([first.status, (await ask(asked)).status]).toEqual(['approved', 'pending'])
  })

  // security: asker-39
  it('of a rule does not count only a part of the money', async () => {
    const [, params, asked] = uncounted.at(-1) ?? ['', {}, {}]
    await make({ params, reasons: ['money'], budget: { amount: '€10.00', per: 'month' } })
    expect((await ask(asked)).status).toBe('pending')
  })

  it('of an agent goes on with items whose sum is counted, and with what costs nothing', async () => {
    await make({ params: { amount: { at_most: '€5.00' }, items: { unchanged: list.items } } })
    await make({ actions: ['read:menu'], params: {} })
    await post('budget', { agent_id: agent.agentId, budget: { amount: '€10.00', per: 'month' } })
    const menu = await aPeck(agent, owner, { action: 'read:menu' })
    expect([(await ask({ amount: '€5.00', ...list })).status, menu.status]).toEqual(['approved', 'approved'])
  })
})

it('the removal of a passkey revokes what a rule gave under its signature, also when another passkey signed the rule since', async () => {
  const { rule_id } = await make()
  const given = await pay('€10.00')
  await confirmWithPasskey(owner, passkey.authenticator)
  const { authenticator } = await aPasskey(owner)
  const rule = sent({ params: { amount: { at_most: '€5.00' }, to: { equals: 'shop@example.com' } } })
  const body = { purpose: 'rule', rule, rule_id } as const
  const options = (await call('POST /beak/passkey/challenge', { token: owner.token, body })).body
  await post('update', { rule_id, rule, passkey: authenticator.get(options) })
  await removePasskeys([passkey.id])
  await revokeEnqueued(rule_id)
  expect((await consume(given)).body.current_status).toBe('revoked')
})

it('the removal of the passkey that signed a rule revokes what it gave, within seconds', async () => {
  const { rule_id } = await make()
  const given = await pay('€10.00')
  await removePasskeys([passkey.id])
  await revokeEnqueued(rule_id)
  expect((await consume(given)).body.current_status).toBe('revoked')
})

it('50 simultaneous requests around the end of a day get no more than both days together allow', async () => {
  const { rule_id } = await make({ budget: { amount: '€100.00', per: 'day' } })
  moveTo('2027-03-10T23:59:59Z')
  const before = Array.from({ length: 25 }, (_, at) => pay(`€${at + 1}.01`))
  moveTo('2027-03-11T00:00:00Z')
  const after = Array.from({ length: 25 }, (_, at) => pay(`€${at + 1}.02`))
  const given = (await Promise.all([...before, ...after])).filter(({ status }) => status === 'approved')
  const usedToday = given.reduce((sum, { params }) => sum + Number(String(params.amount).slice(1)), 0)
  // All of them can still be used on the second day, so it counts them all.
  expect(usedToday).toBeLessThanOrEqual(100)
  const used = await Promise.all(given.map(consume))
  expect(used.every(({ status }) => status === 200)).toBe(true)
  expect(await left(rule_id)).toBe(`€${(100 - usedToday).toFixed(2)}`)
})
