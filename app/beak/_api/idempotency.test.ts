/** `Idempotency-Key` at every operation that accepts one (contract A, Repeated requests). lib/http/endpoint.test.ts tests the mechanism. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { setLimit } from '@/lib/domain/identity/create-by-host'
import { purge } from '@/lib/domain/retention/purge'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, randomAddress, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { readSource, tableRows } from '@/lib/fixtures/source-files'
import { statementsOf } from '@/lib/fixtures/statements'
import { systemContext } from '@/lib/kernel/request/context'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type Answer, type CallOptions, call } from './call'
import { methods } from './serve'
import { table } from './table'
import { validRequests } from './valid-requests'

const changes = Object.entries(table).flatMap(([path, route]) =>
  methods.flatMap((method) => {
    const definition = route[method]?.definition
    return definition && method !== 'GET' ? [{ line: `${method} ${path}`, definition }] : []
  }),
)
const repeatable = changes.filter(({ definition }) => definition.idempotencyKey).map(({ line }) => line)

const withKey = (options: CallOptions, key: string = randomUUID()): CallOptions => ({
  ...options,
  headers: { ...options.headers, 'Idempotency-Key': key },
})
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'

describe('the operations', () => {
  it('that accept a key are all tested here', () => {
    expect(Object.keys(validRequests).sort()).toEqual([...repeatable].sort())
  })

  it('that do not accept one, although they are no reads, have a reason in the contract', () => {
    const named = tableRows(readSource('docs/contract.md'), 'Repeated requests').flatMap(([cell = '']) =>
      [...cell.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, line = '']) => line),
    )
    const without = changes.filter(({ line }) => !repeatable.includes(line)).map(({ line }) => line)
    expect(named.sort()).toEqual(without.sort())
  })
})

describe('a repeated request', () => {
  // security: check-47
  it.each(repeatable)('%s changes nothing and gets the answer of the first', async (line) => {
    const request = withKey((await validRequests[line]?.()) ?? {})
    const first = await call(line, request)
    expect([first.status, first.body.detail, isReplayed(first)]).toEqual([200, undefined, false])
    const repeats: Answer[] = []
    const statements = await statementsOf(async () => void repeats.push(await call(line, request)))
    const [second] = repeats
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(second?.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(second?.headers.get('idempotency-replayed')).toBe('true')
    expect(statements.filter((text) => text === 'COMMIT')).toEqual([])
  })
})

const register = (options: CallOptions, agent_name = 'Scout') =>
  call('POST /beak/agent/register', {
    ...options,
    body: { agent_name, agent_type: 'assistant', capabilities: ['read:profile'] },
  })
const agentsOf = ({ id }: ADuckling) => db().agent.count({ where: { ducklingId: id } })

/** Sends 50 requests at once, and repeats those that were told to wait. Returns the answers. */
async function fiftyAtOnce(send: () => Promise<Answer>): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: 50 }, send))
  const busy = answers.filter(({ status }) => status === 409)
  for (const { body, headers } of busy)
    expect([body.code, body.retry_after, headers.get('retry-after')]).toEqual(['E4008', 1, '1'])
  return [...answers.filter(({ status }) => status !== 409), ...(await Promise.all(busy.map(send)))]
}

describe('simultaneous requests with one key', () => {
  it('register one agent, and all get its beak key, at once or when they are repeated', async () => {
    const owner = await aDuckling()
    const request = withKey({ token: owner.token })
    const answers = await fiftyAtOnce(() => register(request))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.beak_key)).size).toBe(1)
    expect(await agentsOf(owner)).toBe(1)
  })

  // security: agent-17
  it('spend one use of a permission', async () => {
    const peck = await anApprovedPeck(await aDuckling(), await aDuckling())
    const request = withKey({ body: { grant_token: peck.grant_token }, from: randomAddress() })
    const answers = await fiftyAtOnce(() => call('POST /beak/peck/consume', request))
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
    expect(answers.every(({ body }) => body.active === true && body.uses_left === 0)).toBe(true)
    expect((await db().peck.findUniqueOrThrow({ where: { id: peck.peck_id } })).uses).toBe(1)
  })

  it('succeed once when their bodies differ', async () => {
    const owner = await aDuckling()
    const request = withKey({ token: owner.token })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => register(request, `Scout ${n}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true)
    expect(await agentsOf(owner)).toBe(1)
  })
})

describe('a key that was used', () => {
  it('is rejected with another body or at another operation, and nothing changes', async () => {
    const owner = await aDuckling()
    const request = withKey({ token: owner.token })
    await register(request)
    const other = await register(request, 'Another')
    expect([other.status, other.body.code]).toEqual([422, 'E4013'])
    const elsewhere = await call('POST /beak/cert/issue', { ...request, body: {} })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'E4013'])
    expect([
      await agentsOf(owner),
      await db().certificate.count({ where: { ducklingId: owner.id } }),
    ]).toEqual([1, 0])
  })

  // security: session-17
  it('belongs to its credential: another session, key or address may use the same text', async () => {
    const owner = await aDuckling()
    const key = randomUUID()
    for (const token of [owner.token, await anotherSession(owner), (await aDuckling()).token])
      expect(isReplayed(await register(withKey({ token }, key)))).toBe(false)
    expect(await agentsOf(owner)).toBe(2)
    const body = { email: randomEmail(), message: 'Quack' }
    const tickets = [randomAddress(), randomAddress()].map(
      async (from) => (await call('POST /beak/support/contact', withKey({ body, from }, key))).body.ticket_id,
    )
    expect(new Set(await Promise.all(tickets)).size).toBe(2)
  })

  // security: session-17
  it('gives nothing to a session that has ended or a beak key that was rotated', async () => {
    const owner = await aDuckling()
    const session = withKey({ token: await anotherSession(owner) })
    await register(session)
    const agent = await anAgent(owner)
    const issue = withKey({ key: agent.beakKey, body: { target_domain: 'shop.example', scope: 'login' } })
    await call('POST /beak/sso/issue', issue)
    await call('POST /beak/session/revoke', { token: owner.token, body: { all_others: true } })
    await call('POST /beak/key/rotate', { token: owner.token, body: { agent_id: agent.agentId } })
    const answers = [await register(session), await call('POST /beak/sso/issue', issue)]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'E4006'],
      [401, 'E4001'],
    ])
  })

  it('takes a token of the limit for each repeat', async () => {
    const { id, token } = await aDuckling()
    await setLimit(systemContext(readClock()), id, { perMinute: 1, burst: 3 })
    const request = withKey({ token })
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await register(request)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('is free again after a day', async () => {
    const owner = await aDuckling()
    const request = withKey({ token: owner.token })
    await register(request)
    await db().idempotencyKey.updateMany({
      where: { ducklingId: owner.id },
      data: { expiresAt: readClock() },
    })
    expect(isReplayed(await register(request, 'Another'))).toBe(false)
    expect(isReplayed(await register(request, 'Another'))).toBe(true)
    expect(await agentsOf(owner)).toBe(2)
  })
})

describe('a refusal', () => {
  it('that changed nothing leaves the key free', async () => {
    const owner = await aDuckling()
    const request = withKey({ token: owner.token, body: { reason: 'Lost' } })
    expect((await call('POST /beak/cert/revoke', request)).status).toBe(404)
    await call('POST /beak/cert/issue', { token: owner.token, body: {} })
    expect((await call('POST /beak/cert/revoke', request)).status).toBe(200)
  })

  it('that was counted is replayed, so a repeated wrong code counts once', async () => {
    const { email, token } = await aDuckling({ tier: 'T0' })
    const otp = await codeFor(email)
    const wrong = withKey({ token, body: { otp: otp === '000000' ? '111111' : '000000' } })
    const first = await call('POST /beak/verify-email', wrong)
    expect([first.status, first.body.code, first.body.reason]).toEqual([401, 'E4006', 'code_invalid'])
    for (let n = 0; n < 10; n++) {
      const repeat = await call('POST /beak/verify-email', wrong)
      expect(repeat).toMatchObject({ status: 401, body: first.body })
      expect([isReplayed(repeat), repeat.headers.get('www-authenticate')]).toEqual([
        true,
        'Bearer realm="beak"',
      ])
    }
    expect((await call('POST /beak/verify-email', { token, body: { otp } })).status).toBe(200)
  })

  it('names the header when its value is no key', async () => {
    const { status, body } = await register(withKey({ token: (await aDuckling()).token }, 'two words'))
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'E4000', 'Idempotency-Key'])
  })
})

describe('stored answers', () => {
  it('are deleted when they expire, and with their account', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    for (const { token } of [owner, other]) await register(withKey({ token }))
    const storedAnswers = ({ id }: ADuckling) => db().idempotencyKey.count({ where: { ducklingId: id } })
    await purge(secondsAfter(readClock(), day - 60))
    expect([await storedAnswers(owner), await storedAnswers(other)]).toEqual([1, 1])
    await call('POST /beak/account/delete', { token: owner.token })
    expect([await storedAnswers(owner), await storedAnswers(other)]).toEqual([0, 1])
    await purge(secondsAfter(readClock(), day + 1))
    expect(await storedAnswers(other)).toBe(0)
  })
})

it('costs requests without the header not one statement', async () => {
  const { token } = await aDuckling()
  // The first registration also starts a notice to the owner.
  await register({ token })
  const plain = await statementsOf(() => register({ token }))
  expect(plain.filter((text) => text.includes('IdempotencyKey'))).toEqual([])
  // Not the number of all statements: the worker is told about the first registration at any time.
  const keyed = await statementsOf(() => register(withKey({ token })))
  expect(keyed.filter((text) => text.includes('IdempotencyKey'))).toHaveLength(2)
})
