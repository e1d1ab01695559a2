/**
 * Tests the limits of spec section 8 and contract A, Limits, with real calls. The clock is stopped, so that no tokens are refilled
 * between two requests, and the tests advance it.
 */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { writeRefusals } from '@/lib/domain/agents/refusals'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomAddress, randomEmail } from '@/lib/factories/ducklings'
import { config, parseConfig, useConfig } from '@/lib/kernel/config'
import {
  daily,
  dailyLimitGroups,
  defaultLimits,
  type LimitGroup,
  limitGroups,
  perDay,
} from '@/lib/kernel/config/limits'
import { type Answer, type CallOptions, call } from './call'

const before = config()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  useConfig(before)
})

function advanceClock(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

/** Calls until the answer is 429. Returns this answer and the number of calls before it. */
async function drain(line: string, options: CallOptions): Promise<{ passed: number; refused: Answer }> {
  for (let passed = 0; passed <= 2_000; passed++) {
    const answer = await call(line, options)
    if (answer.status === 429) return { passed, refused: answer }
  }
  throw new Error(`${line} is not limited`)
}

const statusOf = async (line: string, options: CallOptions) => (await call(line, options)).status

/** The limits in the spec and the contract, repeated here to check the table in the code. */
const published: [LimitGroup, number, number][] = [
  ['metrics', 100, 200],
  ['signup', 10, 5],
  ['status', 60, 120],
  ['newsletter', 5, 2],
  ['support', 5, 2],
  ['pageview', 500, 1000],
  ['signin', 10, 10],
  ['otp', 5, 5],
  ['anonymous', 120, 120],
  ['authenticated', 600, 300],
  ['tlog', 1200, 1200],
]

/** One request of each group. An empty body is refused with 400, but the request is counted. */
const lines: Record<Exclude<LimitGroup, 'authenticated'>, string> = {
  metrics: 'GET /beak/metrics',
  signup: 'POST /beak/signup',
  status: 'GET /beak/system/status',
  newsletter: 'POST /beak/newsletter/subscribe',
  support: 'POST /beak/support/contact',
  pageview: 'POST /beak/pageview',
  signin: 'POST /beak/signin',
  otp: 'POST /beak/signin/otp',
  anonymous: 'GET /beak/',
  tlog: 'GET /.well-known/tlog/checkpoint?no=1',
}

it('has the published limits', () => {
  expect(
    limitGroups.map((group) => [group, defaultLimits[group].perMinute, defaultLimits[group].burst]),
  ).toEqual(published)
})

it('has the published budgets', () => {
  expect(
    dailyLimitGroups.map((group) => [group, perDay(defaultLimits[group]), defaultLimits[group].burst]),
  ).toEqual([
    ['ask', 20, 20],
    ['code', 200, 200],
    ['find', 100, 50],
    ['invited', 20, 20],
    ['rings', 7200, 5],
    ['strangers', 20, 20],
  ])
})

describe.each(published)('%s: %i a minute, %i at once', (group, perMinute, burst) => {
  const aCaller = async (): Promise<[string, CallOptions]> =>
    group === 'authenticated'
      ? ['GET /beak/profile', { token: (await aDuckling()).token }]
      : [lines[group], { from: randomAddress() }]

  // security: check-65
  it('allows the burst, refuses the next with Retry-After, allows one more after that time, and a minute’s calls after a minute', async () => {
    const [line, options] = await aCaller()
    for (let left = burst - 1; left >= 0; left--) {
      const { status, headers } = await call(line, options)
      expect([200, 400]).toContain(status)
      expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${perMinute};w=60;burst=${burst}`)
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${group}";r=${left};t=\\d+$`))
      expect(headers.get('retry-after')).toBeNull()
    }
    const { status, headers, body } = await call(line, options)
    const seconds = Math.ceil(60 / perMinute)
    expect([status, body.code, body.retry_after]).toEqual([429, 'E4004', seconds])
    expect(headers.get('retry-after')).toBe(String(seconds))
    expect(headers.get('ratelimit')).toBe(`"${group}";r=0;t=${seconds}`)
    expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${perMinute};w=60;burst=${burst}`)
    expect(headers.get('cache-control')).toBe('no-store')
    advanceClock(seconds - 1)
    expect(await statusOf(line, options)).toBe(429)
    advanceClock(1)
    expect(await statusOf(line, options)).not.toBe(429)
    await drain(line, options)
    advanceClock(60)
    expect((await drain(line, options)).passed).toBe(Math.min(perMinute, burst))
  })
})

describe('the shared bucket of a group', () => {
  it.each([
    ['POST /beak/newsletter/subscribe', 'POST /beak/newsletter/confirm'],
    ['POST /beak/newsletter/confirm', 'POST /beak/newsletter/unsubscribe'],
    ['POST /beak/signin', 'POST /beak/passkey/login'],
    ['POST /beak/passkey/login/options', 'POST /beak/passkey/login'],
    ['GET /beak/', 'GET /beak/cert/verify'],
  ])('is used by %s and %s', async (one, other) => {
    const from = randomAddress()
    await drain(one, { from })
    expect(await statusOf(other, { from })).toBe(429)
    expect(await statusOf(other, { from: randomAddress() })).not.toBe(429)
  })
})

describe('the bucket of a call', () => {
  const line = lines.support

  it.each([
    'X-Forwarded-For',
    'X-Real-IP',
    'Forwarded',
    'CF-Connecting-IP',
    'True-Client-IP',
    'X-Client-IP',
    'X-Beak-Peer',
  ])('does not depend on the header %s', async (name) => {
    const from = randomAddress()
    const dodge = () => ({
      from,
      headers: { [name]: name === 'Forwarded' ? `for=${randomAddress()}` : randomAddress() },
    })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push(await statusOf(line, dodge()))
    expect(statuses).toEqual([400, 400, 429, 429])
  })

  // security: stranger-12
  it('is the same within an IPv6 /64, and another one in another /64', async () => {
    const prefix = `2001:db8:${randomBytes(2).toString('hex')}`
    await drain(line, { from: `${prefix}:1::1` })
    expect(await statusOf(line, { from: `${prefix}:1:ffff:1:2:3` })).toBe(429)
    expect(await statusOf(line, { from: `${prefix}:2::1` })).toBe(400)
  })

  // security: stranger-12
  it('is four times as wide for the /48 of all of them, whichever /64 calls', async () => {
    const prefix = `2001:db8:${randomBytes(2).toString('hex')}`
    const callers = Array.from({ length: 40 }, (_, network) => `${prefix}:${network.toString(16)}::1`)
    const statuses = []
    for (const from of callers) statuses.push(await statusOf(line, { from }))
    expect(statuses).toEqual([...Array(8).fill(400), ...Array(32).fill(429)])
    const other = `2001:db8:${randomBytes(2).toString('hex')}:1::1`
    expect(await statusOf(line, { from: other })).toBe(400)
  })

  // security: stranger-12
  it('of a /64 that calls in vain takes nothing from its neighbours', async () => {
    const prefix = `2001:db8:${randomBytes(2).toString('hex')}`
    for (let count = 0; count < 50; count++) await statusOf(line, { from: `${prefix}:1::1` })
    for (const network of [2, 3, 4])
      expect((await drain(line, { from: `${prefix}:${network}::1` })).passed).toBe(2)
    expect(await statusOf(line, { from: `${prefix}:5::1` })).toBe(429)
  })

  it('is the same for an IPv4 address on an IPv6 socket', async () => {
    const from = randomAddress()
    await drain(line, { from })
    expect(await statusOf(line, { from: `::ffff:${from}` })).toBe(429)
  })

  it('belongs to the right-most address that is not a trusted proxy', async () => {
    const { trustedProxies } = parseConfig({ NODE_ENV: 'test', TRUSTED_PROXIES: '192.0.2.0/24' })
    useConfig({ trustedProxies })
    const client = randomAddress()
    const through = (forwarded: string, from = '192.0.2.1') => ({
      from,
      headers: { 'X-Forwarded-For': forwarded },
    })
    await drain(line, through(client))
    expect(await statusOf(line, through(`${randomAddress()}, ${client}`))).toBe(429)
    expect(await statusOf(line, through(`${client}, 192.0.2.77`, '192.0.2.2'))).toBe(429)
    expect(await statusOf(line, through(randomAddress()))).toBe(400)
    const stranger = randomAddress()
    await drain(line, through(client, stranger))
    expect(await statusOf(line, through(randomAddress(), stranger))).toBe(429)
  })

  it('belongs to the duckling, from whichever address it calls', async () => {
    const [mine, other] = [await aDuckling(), await aDuckling()]
    await db().duckling.update({ where: { id: mine.id }, data: { limitRate: 1, limitBurst: 2 } })
    await drain('GET /beak/profile', { token: mine.token, from: randomAddress() })
    expect(await statusOf('GET /beak/profile', { token: mine.token, from: randomAddress() })).toBe(429)
    expect(await statusOf('GET /beak/profile', { token: other.token })).toBe(200)
  })

  it('is the limit of the operator for an agent', async () => {
    const operator = await aDuckling()
    const agent = await anAgent(operator)
    await db().duckling.update({ where: { id: operator.id }, data: { limitRate: 1, limitBurst: 2 } })
    await drain('GET /beak/profile', { token: operator.token })
    expect(await statusOf('GET /beak/profile', { key: agent.beakKey })).toBe(429)
  })
})

describe('a call that causes more work', () => {
  const ids = Array.from({ length: 100 }, () => `PECK-${'0'.repeat(26)}`).join()
  const rule = {
    agent_id: `AGT-${'0'.repeat(26)}`,
    actions: ['pay:invoice'],
    params: { to: { equals: 'shop@example.com' } },
    expires_in: 86_400,
    answer: 'approve',
    reasons: [],
    mode: 'on',
  }

  // security: stranger-13
  it.each([
    ['GET /beak/profile', 1],
    [`GET /beak/peck/details?peck_ids=${ids}`, 25],
    ['GET /beak/peck/inbox?limit=1000', 20],
    ['GET /beak/peck/inbox?limit=20', 1],
    ['GET /beak/peck/inbox?limit=1000&q=shop', 25],
    ['GET /beak/audit?limit=1000', 10],
    ['GET /beak/account/export', 40],
    ['GET /beak/peck/history?limit=100', 4],
    ['POST /beak/rule/rehearse', 15],
    ['POST /beak/peck/decide', 25],
  ])('such as %s costs %i tokens', async (heavy, cost) => {
    const { token } = await aDuckling()
    const bodies: Record<string, object> = {
      'POST /beak/rule/rehearse': { rule },
      'POST /beak/peck/decide': { decision: 'approve', peck_ids: ids.split(',') },
    }
    const body = bodies[heavy]
    const { headers, status } = await call(heavy, { token, ...(body && { body }) })
    expect(status).toBeLessThan(500)
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"authenticated";r=${300 - cost};`))
  })

  // security: stranger-13
  it('is refused without the tokens, says when there are enough, and leaves what is there to others', async () => {
    const { token } = await aDuckling()
    const heavy = `GET /beak/peck/details?peck_ids=${ids}`
    expect((await drain(heavy, { token })).passed).toBe(12)
    advanceClock(1)
    const refused = await call(heavy, { token })
    expect([refused.status, refused.body.retry_after]).toEqual([429, 2])
    expect(refused.headers.get('ratelimit')).toBe('"authenticated";r=9;t=2')
    expect(await statusOf('GET /beak/profile', { token })).toBe(200)
    advanceClock(2)
    expect(await statusOf(heavy, { token })).toBe(200)
  })

  it('is possible for an account whose whole bucket is smaller', async () => {
    const owner = await aDuckling()
    await db().duckling.update({ where: { id: owner.id }, data: { limitRate: 60, limitBurst: 5 } })
    const heavy = `GET /beak/peck/details?peck_ids=${ids}`
    expect(await statusOf(heavy, { token: owner.token })).toBe(200)
    expect(await statusOf('GET /beak/profile', { token: owner.token })).toBe(429)
    advanceClock(5)
    expect(await statusOf(heavy, { token: owner.token })).toBe(200)
  })

  it('is paid by the operator when its agent makes it', async () => {
    const operator = await aDuckling()
    const agent = await anAgent(operator)
    await db().duckling.update({ where: { id: operator.id }, data: { limitRate: 60, limitBurst: 11 } })
    await call('GET /beak/audit?limit=1000', { key: agent.beakKey })
    expect(await statusOf('GET /beak/audit?limit=1000', { token: operator.token })).toBe(429)
  })
})

describe('an invalid credential', () => {
  it('is counted for its address until its calls are refused without authentication', async () => {
    const from = randomAddress()
    for (let count = 0; count < 120; count++) {
      const token = `guess${count}`
      const { status, headers } = await call('GET /beak/profile', { from, token })
      expect(status).toBe(401)
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"anonymous";r=${119 - count};`))
    }
    expect(await statusOf('GET /beak/profile', { from, token: 'guess' })).toBe(429)
    expect(await statusOf('GET /beak/profile', { from, key: 'beak_guess' })).toBe(429)
    expect(await statusOf('GET /beak/profile', { from })).toBe(429)
    expect(await statusOf('GET /beak/', { from })).toBe(429)
  })

  it('does not affect valid credentials from the same address', async () => {
    const from = randomAddress()
    const { token } = await aDuckling()
    await drain('GET /beak/profile', { from, token: 'guess' })
    expect(await statusOf('GET /beak/profile', { from, token })).toBe(200)
  })
})

describe('other limits', () => {
  it('can be set for a duckling, and stand in the headers', async () => {
    const { id, token } = await aDuckling()
    await db().duckling.update({ where: { id }, data: { limitRate: 30, limitBurst: 4 } })
    const { passed, refused } = await drain('GET /beak/profile', { token })
    expect(passed).toBe(4)
    expect(refused.headers.get('ratelimit-policy')).toBe('"authenticated";q=30;w=60;burst=4')
    expect(refused.headers.get('retry-after')).toBe('2')
    advanceClock(2)
    expect((await drain('GET /beak/profile', { token })).passed).toBe(1)
  })

  it('can be higher than the default for a duckling', async () => {
    useConfig({ limits: { ...before.limits, authenticated: { perMinute: 5, burst: 5 } } })
    const { id, token } = await aDuckling()
    await db().duckling.update({ where: { id }, data: { limitRate: 10, limitBurst: 20 } })
    expect((await drain('GET /beak/profile', { token })).passed).toBe(20)
  })

  it('can be configured for a group', async () => {
    useConfig({ limits: { ...before.limits, support: { perMinute: 60, burst: 3 } } })
    const { passed, refused } = await drain(lines.support, { from: randomAddress() })
    expect([passed, refused.body.retry_after]).toEqual([3, 1])
  })
})

// security: check-65
describe('a 429 writes nothing to the database', () => {
  /** Returns the id of the next writing transaction, which grows with every write. */
  async function nextTransaction(): Promise<string> {
    const rows = await db().rows<{ xid: string }>`
      SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`
    return rows[0]?.xid ?? ''
  }
  const seqOf = async (ducklingId: string) =>
    (await db().auditChain.findUniqueOrThrow({ where: { ducklingId } })).seq
  /** With PostgreSQL other tests write to the same database at the same time. The embedded database belongs to this file only. */
  const isAlone = before.databaseUrl === null

  async function expectNoWrite(ducklingId: string | null, work: () => Promise<unknown>): Promise<void> {
    const [seq, xid] = [ducklingId && (await seqOf(ducklingId)), await nextTransaction()]
    for (let count = 0; count < 10; count++) await work()
    if (ducklingId) expect(await seqOf(ducklingId)).toBe(seq)
    if (isAlone) expect(await nextTransaction()).toBe(xid)
  }

  it.each(Object.values(lines))('of %s', async (line) => {
    const from = randomAddress()
    await drain(line, { from })
    await expectNoWrite(null, async () => expect(await statusOf(line, { from })).toBe(429))
  })

  it('and does not record a duckling’s attempt at a change', async () => {
    const { id, token } = await aDuckling()
    await db().duckling.update({ where: { id }, data: { limitRate: 1, limitBurst: 1 } })
    const attempt = () => call('POST /beak/cert/issue', { token })
    await attempt()
    await expectNoWrite(id, async () => expect((await attempt()).status).toBe(429))
  })

  it('and does not count the use of an old key', async () => {
    useConfig({ limits: { ...before.limits, anonymous: { perMinute: 1, burst: 2 } } })
    const operator = await aDuckling()
    const { agentId, beakKey, keyId } = await anAgent(operator)
    await call('POST /beak/key/rotate', { token: operator.token, body: { agent_id: agentId } })
    const from = randomAddress()
    const deadUses = async () => {
      await writeRefusals(new Date())
      return (await db().beakKey.findUniqueOrThrow({ where: { id: keyId } })).deadUses
    }
    const use = () => statusOf('GET /beak/profile', { from, key: beakKey })
    expect([await use(), await use()]).toEqual([401, 401])
    expect(await deadUses()).toBe(2)
    await expectNoWrite(operator.id, async () => expect(await use()).toBe(429))
    expect(await deadUses()).toBe(2)
  })
})

describe('the budget of codes', () => {
  // security: stranger-4
  it('counts the codes of a client over all addresses, and no codes of sign-ups and of other clients', async () => {
    useConfig({ limits: { ...before.limits, code: daily(4, 4) } })
    const from = randomAddress()
    const signup = await call('POST /beak/signup', {
      from,
      body: { email: randomEmail(), display_name: 'Teal' },
    })
    expect(signup.status).toBe(200)
    const ask = (address: string) =>
      call('POST /beak/signin/otp', { from: address, body: { email: randomEmail() } })
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(from)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ reason: 'rate_limited', retry_after: 6 * 3600 })
    expect(refused?.headers.get('ratelimit-policy')).toBe('"code";q=4;w=86400;burst=4')
    const { token } = signup.body
    expect((await call('POST /beak/verify-email/resend', { from, token })).status).toBe(429)
    expect((await ask(randomAddress())).status).toBe(200)
    advanceClock(6 * 3600)
    expect((await ask(from)).status).toBe(200)
  })
})
