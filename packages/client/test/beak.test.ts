/** Settings, credentials, inputs and lists of the client. */
import { inspect } from 'node:util'
import { Beak, type BeakOptions } from '@beak/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { startFaultServer } from './fault-server'
import { startService } from './service'

const url = startService()
const faults = startFaultServer()

/** Makes a call with the given settings and returns the request that arrived. */
async function requestOf(options: Omit<BeakOptions, 'url'>, call: (beak: Beak) => Promise<unknown>) {
  const run = faults.run('none')
  await call(new Beak({ url: run.url, ...options }))
  const [request] = await run.requests()
  return request
}

describe('new Beak', () => {
  it.each([['not an address'], ['ftp://example.com'], ['']])('rejects the address %j', (address) => {
    expect(() => new Beak({ url: address })).toThrow(TypeError)
  })

  it('rejects more than one credential', () => {
    expect(() => new Beak({ url: 'https://beak.example', token: 'a', key: 'b' })).toThrow(TypeError)
  })

  it('keeps the path of the service and ignores slashes at its end', () => {
    expect(new Beak({ url: 'https://example.org/prod//' }).url).toBe('https://example.org/prod')
  })

  it('does not print its credential', () => {
    const beak = new Beak({ url: 'https://beak.example', key: 'beak_secret' })
    expect(inspect(beak, { depth: 9, showHidden: true }) + JSON.stringify(beak)).not.toContain('beak_secret')
  })
})

describe('an unknown option', () => {
  it.each([
    ['apiKey', 'key'],
    ['beakKey', 'key'],
    ['baseURL', 'url'],
    ['tokn', 'token'],
    ['allow_test', 'allowTest'],
    ['maxRetries', 'retries'],
  ])('is refused: %s, with the guess %s', (name, meant) => {
    const given = { url: 'https://beak.example', [name]: 'SECRET' }
    expect(() => new Beak(given)).toThrow(`Beak has no option ${name}. Did you mean ${meant}?`)
    expect(() => new Beak(given)).not.toThrow('SECRET')
    expect(() => new Beak({ url: 'https://beak.example' }).with({ [name]: 'SECRET' })).toThrow(meant)
  })

  it('is refused with the list and without a guess when nothing is near', () => {
    const given = { url: 'https://beak.example', colour: 'teal' }
    expect(() => new Beak(given)).toThrow(/^Beak has no option colour\. The options are url, token, key,/)
  })
})

describe('the environment', () => {
  const key = 'beak_of_environment'
  afterEach(() => vi.unstubAllEnvs())

  /** Returns the key that arrives at `run`, for a client that is made in an environment of another service. */
  async function keyAt(make: (url: string) => Beak, environment?: string): Promise<string | undefined> {
    const run = faults.run('none')
    vi.stubEnv('BEAK_URL', environment ?? run.url)
    vi.stubEnv('BEAK_KEY', key)
    await make(run.url).getProfile()
    const [request] = await run.requests()
    return request?.headers['x-beak-key']
  }

  it('gives the address and the key when the program gives none', async () => {
    expect(await keyAt(() => new Beak({}))).toBe(key)
    expect(await keyAt(() => new Beak())).toBe(key)
    expect(await keyAt(() => new Beak({}).with({ retries: 0 }))).toBe(key)
  })

  it('gives no key to an address of the program, and none beside another credential', async () => {
    const other = 'http://127.0.0.1:9'
    expect(await keyAt((url) => new Beak({ url }), other)).toBeUndefined()
    expect(await keyAt((url) => new Beak({}).with({ url }), other)).toBeUndefined()
    expect(await keyAt((url) => new Beak({}).with({ retries: 0 }).with({ url }), other)).toBeUndefined()
    expect(await keyAt((url) => new Beak({ url }))).toBeUndefined()
    expect(await keyAt(() => new Beak({ token: 'a.b.c' }))).toBeUndefined()
    expect(await keyAt(() => new Beak({ auth: () => null }))).toBeUndefined()
    expect(await keyAt(() => new Beak({}).with({ key: undefined }))).toBeUndefined()
  })

  it('is named when the address is missing or is none', () => {
    vi.stubEnv('BEAK_URL', '')
    expect(() => new Beak({ key })).toThrow(
      'url is missing. Pass the address of the service as url, or set BEAK_URL.',
    )
    vi.stubEnv('BEAK_URL', key)
    expect(() => new Beak({})).toThrow('BEAK_URL is not the address of a service.')
    expect(() => new Beak({})).not.toThrow(key)
  })
})

describe('a credential', () => {
  it('travels as a bearer token for a session and in X-Beak-Key for an agent', async () => {
    const ofPerson = await requestOf({ token: 'a.b.c' }, (beak) => beak.getProfile())
    expect(ofPerson?.headers).toMatchObject({ authorization: 'Bearer a.b.c' })
    const ofAgent = await requestOf({ key: 'beak_1' }, (beak) => beak.getProfile())
    expect(ofAgent?.headers).toMatchObject({ 'x-beak-key': 'beak_1' })
    expect(ofAgent?.headers).not.toHaveProperty('authorization')
  })

  it.each(['\n', ' \r\n', '\ufeff'])('is sent without %j around it', async (around) => {
    const ofAgent = await requestOf({ key: `${around}beak_1${around}` }, (beak) => beak.getProfile())
    expect(ofAgent?.headers).toMatchObject({ 'x-beak-key': 'beak_1' })
    const ofPerson = await requestOf({ token: `a.b.c${around}` }, (beak) => beak.getProfile())
    expect(ofPerson?.headers).toMatchObject({ authorization: 'Bearer a.b.c' })
  })

  // security: asker-23
  it.each(['\n', '\r\nX: y', ' ', '\0', 'é', '\u200b'])(
    'is refused without naming it when it has %j inside',
    async (inner) => {
      const secret = `beak_${inner}SECRET`
      for (const given of [{ key: secret }, { token: secret }, { auth: () => ({ key: secret }) }]) {
        const error = await new Beak({ url: 'http://127.0.0.1:9', ...given }).getProfile().catch((one) => one)
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message).toContain('Copy it again.')
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('SECRET')
      }
    },
  )

  it('is not sent to operations that read none', async () => {
    const request = await requestOf({ token: 'a.b.c' }, (beak) => beak.verifyAgent({ agent_id: 'AGT-1' }))
    expect(request?.headers).not.toHaveProperty('authorization')
  })

  it('is asked for anew for each request when auth is a function', async () => {
    const run = faults.run('none')
    const tokens = ['first', 'second']
    const beak = new Beak({ url: run.url, auth: async () => ({ token: tokens.shift() ?? '' }) })
    await beak.getProfile()
    await beak.getProfile()
    const sent = (await run.requests()).map(({ headers }) => headers.authorization)
    expect(sent).toEqual(['Bearer first', 'Bearer second'])
  })

  it('is replaced by with', async () => {
    const request = await requestOf({ token: 'a.b.c' }, (beak) => beak.with({ key: 'beak_1' }).getProfile())
    expect(request?.headers).toMatchObject({ 'x-beak-key': 'beak_1' })
    expect(request?.headers).not.toHaveProperty('authorization')
  })
})

describe('an input', () => {
  it('is the query of a GET, without fields that are undefined', async () => {
    const request = await requestOf({}, (beak) =>
      beak.listPecks({ limit: 5, cursor: undefined, status: 'pending' }),
    )
    expect(request).toMatchObject({
      method: 'GET',
      path: '/beak/peck/history?limit=5&status=pending',
      body: '',
    })
  })

  it('is the JSON body of a POST', async () => {
    const request = await requestOf({}, (beak) => beak.requestSignInCode({ email: 'a@example.com' }))
    expect(request).toMatchObject({
      method: 'POST',
      path: '/beak/signin/otp',
      body: '{"email":"a@example.com"}',
    })
    expect(request?.headers['content-type']).toBe('application/json')
  })

  it('fills parameters of the path and encodes them', async () => {
    const request = await requestOf({}, (beak) => beak.getLogTile({ path: '0/x001/0 ?' }))
    expect(request?.path).toBe('/.well-known/tlog/tile/0/x001/0%20%3F')
  })

  it('sends fields of headers as headers', async () => {
    const request = await requestOf({}, (beak) => beak.getProfile({ peck_grant: 'grant' }))
    expect(request).toMatchObject({ path: '/beak/profile', headers: { 'x-peck-grant': 'grant' } })
  })

  it('refuses an idempotency key where the operation does not accept one', async () => {
    const call = new Beak({ url: url() }).getMetrics({ idempotencyKey: 'job-1' })
    await expect(call).rejects.toThrow(TypeError)
  })
})

describe('an answer', () => {
  it('is text or bytes where the operation does not answer with JSON', async () => {
    const beak = new Beak({ url: faults.run('none').url })
    expect(await beak.getLogVerifierKeys()).toContain('/.well-known/tlog/vkeys')
    expect(await beak.getLogTile({ path: '0/000' })).toBeInstanceOf(Uint8Array)
  })
})

describe('iterate', () => {
  it('yields the items of all pages', async () => {
    const person = await aDuckling()
    const asker = await aDuckling()
    const made: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      made.unshift((await aPeck(asker, person, { action: `do:${name}` })).peck_id)
    const beak = new Beak({ url: url(), token: person.token })
    const listed: string[] = []
    for await (const peck of beak.iterate('listPecks', { limit: 2, direction: 'received' }))
      listed.push(peck.peck_id)
    expect(listed).toEqual(made)
  })

  it('fetches a page only when it is needed', async () => {
    const run = faults.run('error-E4005')
    const items = new Beak({ url: run.url }).iterate('listAgents')
    expect(await run.requests()).toEqual([])
    await expect(items.next()).rejects.toMatchObject({ code: 'E4005' })
  })
})

describe('an agent', () => {
  it('is told why when it does what only a person may do', async () => {
    const { beakKey } = await anAgent(await aDuckling())
    const call = new Beak({ url: url(), key: beakKey }).approvePeck({ peck_id: `PECK-${'0'.repeat(16)}` })
    await expect(call).rejects.toMatchObject({ code: 'E4007', action: expect.stringContaining('operator') })
  })
})
