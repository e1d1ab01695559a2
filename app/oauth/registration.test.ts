import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { allow, aProgram, begin, connected, type Doors, refresh, registration } from '@/lib/fixtures/programs'
import { day, minute } from '@/lib/kernel/runtime/clock'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())
afterEach(() => void vi.useRealTimers())

describe('a registration', () => {
  it.each([
    ['a right-to-left mark', '\u202eretto'],
    ['an invisible character', 'Ot\u200bter'],
    ['a line break', 'Otter\nBeak'],
    ['a control character', 'Otter\u0007'],
    ['Cyrillic letters among Latin ones', 'Оtter'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['no characters', ''],
    ['another type', { name: 'Otter' }],
  ])('with a name of %s is refused', async (_, client_name) => {
    const { status, body } = await registration(doors, { client_name })
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  })

  it('with a name of the service gets it shown only as a claim of the program', async () => {
    const begun = await begin(doors, await aProgram(doors, { client_name: 'Beak support' }))
    const { token } = await aDuckling()
    expect((await call('POST /beak/consent/view', { token, body: begun.consent })).body).toMatchObject({
      client_name: 'Beak support',
      return_host: 'localhost',
    })
    // The agent is listed among those of its owner, so it cannot have such a name.
    expect((await allow(doors, begun, { token }, { agent_name: 'Beak support' })).status).toBe(400)
  })

  it.each([
    ['1,000 redirect addresses', Array.from({ length: 1000 }, (_, at) => `https://a.example/${at}`)],
    ['a redirect address of 10,000 characters', [`https://a.example/${'x'.repeat(10_000)}`]],
    ['none', []],
    ['a text', 'https://a.example/'],
    ['an object', { 0: 'https://a.example/' }],
    ['a number', [1]],
    ['null', [null]],
    ['nothing', undefined],
  ])('with %s as its redirect addresses is refused', async (_, redirect_uris) => {
    const { status, body } = await registration(doors, { redirect_uris })
    expect(status).toBe(400)
    expect(body.error).toMatch(/^invalid_(?:redirect_uri|client_metadata)$/)
  })

  it('keeps only what the service uses', async () => {
    const { body } = await registration(doors, {
      client_id: 'chosen',
      client_secret: 'chosen',
      client_id_issued_at: 1,
      jwks: { keys: [] },
      contacts: ['x'.repeat(20_000)],
      __proto__: { x: 1 },
      constructor: 'x',
      unknown: 'x',
    })
    expect(body.client_id).toMatch(/^[\w-]{43}$/)
    const row = await db().oAuthRecord.findFirstOrThrow({
      where: { kind: 'Client' },
      orderBy: { createdAt: 'desc' },
    })
    expect(JSON.stringify(row.payload).length).toBeLessThan(700)
    expect(JSON.stringify(row.payload)).not.toMatch(/chosen|unknown|contacts|jwks/)
  })

  it('that nobody allows is forgotten after a day, and another one is not', async () => {
    const [forgotten, kept] = [await aProgram(doors), await aProgram(doors)]
    const { refresh: token } = await connected(doors, await aDuckling(), { program: kept })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (day - minute) * 1000 })
    expect((await begin(doors, forgotten)).status).toBe(303)
    vi.setSystemTime(Date.now() + 2 * minute * 1000)
    expect((await begin(doors, forgotten)).body.error).toBe('invalid_client')
    expect((await begin(doors, kept)).status).toBe(303)
    expect((await refresh(doors, kept, token)).status).toBe(200)
  })
})
