import { canonicalText } from '@beak/proofs/canonical'
import type { Constraint } from '@beak/proofs/rules/rule'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { setAgentBudget } from '@/lib/domain/pecks/rules/agent-budget'
import { endRule, pauseAllRules, pauseRule } from '@/lib/domain/pecks/rules/commands'
import { listAnswers, viewRule } from '@/lib/domain/pecks/rules/read'
import { settleUses } from '@/lib/domain/pecks/rules/report'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'
import { statementsOf } from '@/lib/fixtures/statements'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})

afterEach(() => void vi.useRealTimers())

const rule = (change: Partial<SentRule> = {}) =>
  aRule(owner, passkey.authenticator, shopRule(agent.agentId, change))

const pay = (amount: unknown = '€38.00', more: Record<string, unknown> = {}) =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com', ...more } })

/** Uses the permission of an approved request. */
const use = ({ grant_token, params }: Awaited<ReturnType<typeof pay>>) =>
  call('POST /beak/peck/consume', { body: { grant_token, params } })

const left = async (id: string) => (await viewRule(await owner.context(), id)).left

describe('a request that lies within a rule', () => {
  it('is approved at once, with a grant token and the rule as reason', async () => {
    const { rule_id, sentence } = await rule()
    expect(await pay()).toMatchObject({
      status: 'approved',
      grant_status: 'active',
      grant_token: expect.any(String),
      reason: sentence,
      decided_by: { type: 'rule', rule_id },
    })
  })

  it('is for the person when it has an amount in cents that the budget would not count, also under `any`', async () => {
    const params: SentRule['params'] = { amount: { at_most: '€50.00' }, to: { domain: 'example.com' } }
    for (const [constraint, name] of [
      [{ at_most: 5000 }, 'fee_cents'],
      [{ any: true }, 'cents'],
    ] as const)
      await rule({ params: { ...params, [name]: constraint }, budget: { amount: '€60.00' } })
    expect(await pay('€38.00', { fee_cents: 4999 })).toMatchObject({ status: 'pending' })
    expect(await pay('€38.00', { cents: 4999 })).toMatchObject({ status: 'pending' })
  })

  it('is rejected at once by a rule that rejects', async () => {
    const { rule_id } = await rule({ answer: 'reject' })
    expect(await pay()).toMatchObject({ status: 'rejected', decided_by: { type: 'rule', rule_id } })
  })

  it('waits for the person when a rule asks, whatever another one approves', async () => {
    await rule()
    await rule({
      answer: 'ask',
      params: { amount: { at_least: '€30.00' }, to: { equals: 'shop@example.com' } },
    })
    expect([(await pay()).status, (await pay('€29.00')).status]).toEqual(['pending', 'approved'])
  })

  it('waits when something that the agent added keeps a rule that rejects from matching', async () => {
    await rule({ answer: 'reject', params: { to: { equals: 'shop@example.com' } } })
    await rule()
    expect((await pay()).status).toBe('pending')
  })

  // security: agent-4
  it('waits when only its spelling keeps a rule that rejects from matching', async () => {
    const values: [forbidden: Constraint, wide: Constraint, spellings: string[]][] = [
      [
        { equals: 'boss@example.com' },
        { domain: 'example.com' },
        ['Boss@example.com', 'boss+x@example.com', 'b.oss@EXAMPLE.com'],
      ],
      [
        { equals: 'https://example.com/admin' },
        { domain: 'example.com' },
        ['https://EXAMPLE.com/admin', 'https://example.com//%61dmin/', 'https://example.com/x/../admin?'],
      ],
      [{ path_below: '/srv/blue' }, { path_below: '/srv' }, ['/srv/blue', '/srv/./blue/', '/srv/Blue/x']],
    ]
    for (const [forbidden, wide, spellings] of values) {
      await rule({ actions: ['read:page'], answer: 'reject', params: { at: forbidden } })
      await rule({
        actions: ['read:page'],
        params: { at: wide },
        reasons: ['outward', 'unlisted', 'control', 'data'],
      })
      for (const at of spellings) {
        const { status } = await aPeck(agent, owner, { action: 'read:page', params: { at } })
        expect([at, status]).toEqual([at, 'pending'])
      }
    }
    const other = await aPeck(agent, owner, { action: 'read:page', params: { at: '/srv/red/x' } })
    expect(other.status).toBe('approved')
  })

  // security: agent-6
  it('waits when an older version signed a rule that is open for a recipient, or a folder in another form', async () => {
    const signed = await rule({
      actions: ['write:file'],
      params: { at: { path_below: '/srv/a' }, note: { any: true } },
    })
    const write = (params: Record<string, unknown>) => aPeck(agent, owner, { action: 'write:file', params })
    const before = signed.rule
    const store = (params: object) =>
      db().rule.update({
        where: { id: signed.rule_id },
        data: { rule: canonicalText({ ...before, params }) },
      })
    expect((await write({ at: '/srv/a/x' })).status).toBe('approved')
    await store({ at: { path_below: '/srv/a' }, beneficiary: { any: true } })
    expect((await write({ at: '/srv/a/y', beneficiary: 'Mallory' })).status).toBe('pending')
    await store({ at: { path_below: '/srv/..' } })
    expect((await write({ at: '/srv/a/z' })).status).toBe('pending')
    await pauseRule(await owner.context(), signed.rule_id)
    const resumed = challengePasskey(await owner.context(), { purpose: 'rule', rule_id: signed.rule_id })
    await expect(resumed).rejects.toMatchObject({ failure: 'invalid_request' })
  })

  it('is not paused for an hour by the rejection of another rule', async () => {
    await rule({
      answer: 'reject',
      params: { amount: { at_least: '€40.00' }, to: { domain: 'example.com' } },
    })
    await rule()
    expect([(await pay('€41.00')).status, (await pay('€39.00')).status]).toEqual(['rejected', 'approved'])
  })

  it('is answered by a rule for all agents of the person', async () => {
    await rule({ agent_id: undefined, operator_id: owner.id })
    expect((await pay()).status).toBe('approved')
  })

  it('is only recorded by a rule that watches', async () => {
    const { rule_id } = await rule({ mode: 'watch' })
    expect((await pay()).status).toBe('pending')
    const { answers, used } = await viewRule(await owner.context(), rule_id)
    expect([answers.map(({ answer }) => answer), used.uses]).toEqual([['watched'], 0])
  })

  it('charges only the narrowest of several rules', async () => {
    const wide = await rule({ params: { amount: { at_most: '€500.00' }, to: { domain: 'example.com' } } })
    const narrow = await rule({ budget: { uses: 1 } })
    expect((await pay()).decided_by?.rule_id).toBe(narrow.rule_id)
    // Nothing is left of the narrow one, so the person is asked.
    expect((await pay('€37.00')).status).toBe('pending')
    expect((await viewRule(await owner.context(), wide.rule_id)).used.uses).toBe(0)
  })
})

describe('a request that no rule answers', () => {
  const others: [string, () => Promise<unknown>][] = [
    ['of another amount', () => pay('€50.01')],
    ['in another currency', () => pay('US$38.00')],
    ['with one more param', () => pay('€38.00', { note: 'hello' })],
  ]
  it.each(others)('%s waits', async (_, ask) => {
    await rule()
    expect(await ask()).toMatchObject({ status: 'pending' })
  })

  it('has a high risk', async () => {
    await rule({ params: { amount: { at_most: '€5000.00' }, to: { equals: 'shop@example.com' } } })
    expect((await pay('€4,000.00')).status).toBe('pending')
  })

  it('is for a time', async () => {
    await rule()
    const params = { amount: '€38.00', to: 'shop@example.com' }
    expect((await aPeck(agent, owner, { action: 'pay:invoice', scope: 'timed', params })).status).toBe(
      'pending',
    )
  })

  it('is the first of somebody else’s agent', async () => {
    const other = await aDuckling()
    const theirs = await anAgent(other)
    await db().duckling.update({ where: { id: owner.id }, data: { trustTier: 'T2' } })
    await aRule(owner, passkey.authenticator, shopRule(theirs.agentId))
    const ask = (amount: string) =>
      aPeck(theirs, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com' } })
    expect((await ask('€38.00')).status).toBe('pending')
    await acquaint(owner, theirs.agentId)
    expect((await ask('€39.00')).status).toBe('approved')
  })

  it('comes while all rules are paused, while the rule is, or after its end', async () => {
    const { rule_id } = await rule()
    await pauseAllRules(await owner.context())
    expect((await pay('€1.00')).status).toBe('pending')
    await db().duckling.update({ where: { id: owner.id }, data: { rulesPausedAt: null } })
    await pauseRule(await owner.context(), rule_id)
    expect((await pay('€2.00')).status).toBe('pending')
    await db().rule.update({ where: { id: rule_id }, data: { status: 'on' } })
    expect((await pay('€3.00')).status).toBe('approved')
    await endRule(await owner.context(), rule_id)
    expect((await pay('€4.00')).status).toBe('pending')
  })

  it('waited before the rule was made, and so does its repeat', async () => {
    const { peck_id } = await pay()
    await rule()
    expect(await pay()).toMatchObject({ peck_id, status: 'pending', repeated: true })
  })
})

it('costs a request of one’s own agent at most two statements more', async () => {
  const own = await agent.context()
  const ask = (amount: string) =>
    aPeck({ context: async () => own }, owner, {
      action: 'pay:invoice',
      params: { amount, to: 'shop@example.com' },
    })
  const count = async (amount: string) =>
    // Notifications come after the commit, and some late.
    (await statementsOf(() => ask(amount))).filter((statement) => !statement.includes('pg_notify')).length
  await ask('€1.00')
  const without = await count('€2.00')
  await rule({ budget: { amount: '€100.00', per: 'day' } })
  await ask('€3.00')
  expect((await count('€4.00')) - without).toBeLessThanOrEqual(2)
})

describe('the budget', () => {
  it('is never exceeded by 50 simultaneous requests', async () => {
    const { rule_id } = await rule({ budget: { amount: '€100.00', per: 'month', uses: 100 } })
    const asked = await Promise.all(Array.from({ length: 50 }, (_, at) => pay(`€${10 + at / 100}`)))
    const approved = asked.filter(({ status }) => status === 'approved')
    const cents = approved.reduce(
      (sum, { params }) => sum + Math.round(Number(String(params.amount).slice(1)) * 100),
      0,
    )
    expect(cents).toBeLessThanOrEqual(10_000)
    expect(approved.length).toBe(9)
    expect((await left(rule_id)).amount).toBe(`€${((10_000 - cents) / 100).toFixed(2)}`)
  })

  it('is charged by one use for each approval', async () => {
    const { rule_id } = await rule({ budget: { uses: 3 } })
    const asked = await Promise.all(Array.from({ length: 50 }, (_, at) => pay(`€${at + 1}.00`)))
    expect(asked.filter(({ status }) => status === 'approved').length).toBe(3)
    expect((await left(rule_id)).uses).toBe(0)
  })

  it('begins again with each day of the person', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(new Date('2027-03-27T22:30:00Z'))
    owner = await aDuckling()
    passkey = await aPasskey(owner)
    agent = await anAgent(owner)
    await db().duckling.update({ where: { id: owner.id }, data: { browserTimeZone: 'Europe/Berlin' } })
    await rule({ budget: { amount: '€50.00', per: 'day' } })
    expect((await pay('€40.00')).status).toBe('approved')
    expect((await pay('€11.00')).status).toBe('pending')
    // Midnight in Berlin, in the night when the clocks change.
    vi.setSystemTime(new Date('2027-03-27T23:00:01Z'))
    expect((await pay('€50.00')).status).toBe('approved')
    vi.setSystemTime(new Date('2027-03-28T21:59:00Z'))
    expect((await pay('€1.00')).status).toBe('pending')
    vi.setSystemTime(new Date('2027-03-28T22:00:01Z'))
    expect((await pay('€2.00')).status).toBe('approved')
  })

  it('gets back at once what the owner revokes unused, and not what was used', async () => {
    const { rule_id } = await rule({ budget: { amount: '€100.00', uses: 10 } })
    const [first, second] = [await pay('€40.00'), await pay('€30.00')]
    await use(second)
    await revokeGrant(await owner.context(), first.peck_id)
    expect(await left(rule_id)).toEqual({ uses: 9, uses_each: null, amount: '€70.00' })
  })

  it('gets back what nobody used, once, after the permission has ended', async () => {
    const { rule_id } = await rule({ budget: { amount: '€100.00', uses: 10 } })
    await pay('€40.00')
    await use(await pay('€30.00'))
    await settleUses(secondsAfter(readClock(), day))
    expect((await left(rule_id)).amount).toBe('€30.00')
    for (let time = 0; time < 2; time++) await settleUses(secondsAfter(readClock(), day + 600))
    expect(await left(rule_id)).toEqual({ uses: 9, uses_each: null, amount: '€70.00' })
  })

  it('of the agent holds over all its rules', async () => {
    await rule()
    await rule({ actions: ['pay:bill'] })
    const context = await owner.context()
    await setAgentBudget(context, { agent_id: agent.agentId, budget: { amount: '€60.00', per: 'week' } })
    expect((await pay('€40.00')).status).toBe('approved')
    const bill = (amount: string) =>
      aPeck(agent, owner, { action: 'pay:bill', params: { amount, to: 'shop@example.com' } })
    expect((await bill('€20.01')).status).toBe('pending')
    expect((await bill('€20.00')).status).toBe('approved')
  })

  it('that is spent is reported once in a period', async () => {
    const { rule_id } = await rule({ budget: { uses: 1 } })
    for (const amount of ['€1.00', '€2.00', '€3.00']) await pay(amount)
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'rule.exhausted' },
    })
    expect(events.map(({ actorId }) => actorId)).toEqual([rule_id])
  })
})

it('the feed lists what rules answered, newest first', async () => {
  const { rule_id } = await rule()
  const [first, second] = [await pay('€1.00'), await pay('€2.00')]
  const { items } = await listAnswers(await owner.context(), { after: null, limit: 10 })
  expect(items.map(({ peck_id, rule_id, cost }) => [peck_id, rule_id, cost])).toEqual([
    [second.peck_id, rule_id, '€2.00'],
    [first.peck_id, rule_id, '€1.00'],
  ])
})
