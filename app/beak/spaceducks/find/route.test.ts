import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { byEmail } from '@/lib/domain/identity/find-people'
import { anAgent } from '@/lib/factories/agents'
import {
  type ADuckling,
  aDuckling,
  aHandle,
  joinedIn,
  randomAddress,
  randomEmail,
} from '@/lib/factories/ducklings'
import { statementsOf } from '@/lib/fixtures/statements'
import { config } from '@/lib/kernel/config'

const line = 'POST /beak/spaceducks/find'
const find = ({ token }: { token: string }, q: string, from = randomAddress()) =>
  call(line, { token, from, body: { q } })
const change = ({ token }: ADuckling, body: object) => call('POST /beak/profile/update', { token, body })
const nobody = { items: [], has_more: false }
const ask = (to: string, credential: { token?: string; key?: string }) =>
  call('POST /beak/peck/request', {
    ...credential,
    body: { target_duckling_id: to, action: 'read:calendar', scope: 'limited' },
  })

async function aFindable(): Promise<ADuckling> {
  const person = await aDuckling()
  await change(person, { findable_by_email: true, directory_visible: false })
  return person
}

describe('200', () => {
  it('finds by address only the person who allowed it, without the id and the address', async () => {
    const [searcher, person] = [await aDuckling(), await aDuckling()]
    expect((await find(searcher, person.email)).body).toEqual({ found_by: 'email', ...nobody })
    expect((await change(person, { findable_by_email: true })).body.findable_by_email).toBe(true)
    const { body } = await find(searcher, ` ${person.email.toUpperCase()} `)
    expect(body).toEqual({
      found_by: 'email',
      items: [
        {
          to: expect.stringMatching(/^found_[\w-]{40,200}$/),
          duckling_id: `DUCK-…${person.id.slice(-4)}`,
          display_name: person.displayName,
          trust_tier: 'T1',
          certified: false,
          joined: await joinedIn(person.id),
        },
      ],
      has_more: false,
    })
    expect(JSON.stringify(body)).not.toContain(person.id)
    await change(person, { findable_by_email: false })
    expect((await find(searcher, person.email)).body.items).toEqual([])
  })

  it('finds a handle as its page shows it, and the address of a hidden person without the handle', async () => {
    const [searcher, person, handle] = [await aDuckling(), await aFindable(), aHandle()]
    await call('POST /beak/handle/claim', { token: person.token, body: { handle } })
    expect((await find(searcher, `@${handle}`)).body).toEqual({ found_by: 'handle', ...nobody })
    expect((await find(searcher, person.email)).body.items[0].handle).toBeUndefined()
    await change(person, { directory_visible: true })
    for (const q of [`@${handle.toUpperCase()}`, person.email])
      expect((await find(searcher, q)).body.items).toMatchObject([{ handle }])
  })

  it('lists at most five listed people of a name, the oldest first', async () => {
    const searcher = await aDuckling()
    const displayName = `Twin${aHandle().replaceAll('-', '')}`.slice(0, 32)
    const hidden = await aDuckling({ displayName })
    await change(hidden, { directory_visible: false })
    const listed: ADuckling[] = []
    for (let count = 0; count < 6; count++) listed.push(await aDuckling({ displayName }))
    const { body } = await find(searcher, displayName.toLowerCase())
    expect([body.found_by, body.has_more]).toEqual(['name', true])
    expect(body.items.map((item: { duckling_id: string }) => item.duckling_id.slice(-4))).toEqual(
      listed.slice(0, 5).map(({ id }) => id.slice(-4)),
    )
  })

  // security: stranger-29
  it('gives a reference for requests of the searcher and their agents, and of nobody else', async () => {
    const [searcher, person, thief] = [await aDuckling(), await aFindable(), await aDuckling()]
    const { to } = (await find(searcher, person.email)).body.items[0]
    expect((await ask(to, { token: searcher.token })).body.target_duckling_id).toBe(person.id)
    const { beakKey } = await anAgent(searcher)
    expect((await ask(to, { key: beakKey })).status).toBe(200)
    const unknown = await ask(person.id.replace(/.{8}$/, '00000000'), { token: thief.token })
    const changed = to.replace(/.(?=.{9}$)/, (letter: string) => (letter === 'A' ? 'B' : 'A'))
    for (const [ref, by] of [
      [to, thief],
      [changed, searcher],
    ] as const)
      expect(await ask(ref, { token: by.token })).toMatchObject({
        status: 404,
        body: { code: unknown.body.code },
      })
    for (const command of ['block', 'unblock', 'unpause'])
      expect(
        (await call(`POST /beak/peck/${command}`, { token: searcher.token, body: { duckling_id: to } }))
          .status,
      ).toBe(400)
  })
})

describe('an attempt to learn who has an account', () => {
  /** Addresses of nobody, of a person who is not found, of one who blocks the searcher, of a suspended and of a closed account. */
  async function silentAddresses(searcher: ADuckling): Promise<string[]> {
    const [unwilling, blocking, suspended, closed] = [
      await aDuckling(),
      await aFindable(),
      await aFindable(),
      await aFindable(),
    ]
    await call('POST /beak/peck/block', { token: blocking.token, body: { duckling_id: searcher.id } })
    await db().duckling.update({ where: { id: suspended.id }, data: { suspendedAt: new Date() } })
    await call('POST /beak/account/delete', { token: closed.token })
    const unproved = await aDuckling({ tier: 'T0' })
    await db().duckling.update({ where: { id: unproved.id }, data: { findableByEmail: true } })
    return [randomEmail(), ...[unwilling, blocking, suspended, closed, unproved].map(({ email }) => email)]
  }

  // security: stranger-28
  it('gets the same answer with the same statements for every address that finds nobody', async () => {
    const searcher = await aDuckling()
    const answers: unknown[] = []
    for (const q of await silentAddresses(searcher)) {
      let answer: unknown
      const statements = await statementsOf(async () => {
        const { status, body } = await find(searcher, q)
        answer = { status, body }
      })
      // Notifications of the calls before may come late.
      const own = statements.filter((statement) => !statement.includes('pg_notify'))
      answers.push({ ...(answer as object), statements: own })
    }
    expect(answers[0]).toMatchObject({ status: 200, body: { found_by: 'email', ...nobody } })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  // security: stranger-28
  it('makes the database do the same work for every such address', async () => {
    const searcher = await aDuckling()
    const workFor = async (address: string) => {
      const plan = await db().rows<Record<string, string>>`
        EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, COSTS OFF, BUFFERS OFF) ${byEmail(searcher.id, address)}`
      return plan
        .flatMap((row) => Object.values(row))
        .filter((text) => text.includes(' on "') && !text.includes('on "Duckling"'))
        .map((text) => text.replace(/.* on (\S+) .*?(loops=\d+|never executed).*/, '$1 $2'))
    }
    const [unknown, ...others] = await Promise.all((await silentAddresses(searcher)).map(workFor))
    expect(unknown).toContainEqual(expect.stringMatching(/PeckBlock.*loops=1/))
    for (const work of others) expect(work).toEqual(unknown)
  })

  // security: stranger-38
  it('shows a listed person who blocks the searcher as before, so that nobody learns of the block', async () => {
    const [searcher, person, handle] = [await aDuckling(), await aDuckling(), aHandle()]
    await call('POST /beak/handle/claim', { token: person.token, body: { handle } })
    await call('POST /beak/peck/block', { token: person.token, body: { duckling_id: searcher.id } })
    for (const q of [`@${handle}`, person.displayName])
      expect((await find(searcher, q)).body.items).toMatchObject([{ display_name: person.displayName }])
  })

  // security: stranger-28
  it('ends after the budget of the account, which 60 simultaneous searches from many addresses cannot exceed', async () => {
    const searcher = await aDuckling()
    const { burst } = config().limits.find
    const answers = await Promise.all(Array.from({ length: burst + 10 }, () => find(searcher, randomEmail())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(burst)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 429,
      body: { retry_after: expect.any(Number) },
    })
    const person = await aFindable()
    expect((await find(searcher, person.email)).status).toBe(429)
  })

  // security: stranger-28
  it('ends after the budget of an address, also with many accounts', async () => {
    const from = randomAddress()
    const { burst } = config().limits.find
    const searchers = [await aDuckling(), await aDuckling()]
    const statuses: number[] = []
    for (let count = 0; count <= burst; count++)
      statuses.push((await find(searchers[count % 2] as ADuckling, randomEmail(), from)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(burst)
    expect(statuses.at(-1)).toBe(429)
  })

  it.each(['@', '@-', 'a@b', '@mallard@example.com', '%', "' OR 1=1", '@me\u0000'])(
    'finds nobody with %j, or is 400',
    async (q) => {
      const { status, body } = await find(await aDuckling(), q)
      if (status === 200) expect(body.items).toEqual([])
      else expect(status).toBe(400)
    },
  )
})
