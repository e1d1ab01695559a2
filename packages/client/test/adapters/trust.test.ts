/** Guards that need not believe Beak, with a real service and with a service that lies. */
import { Beak, type Permission, type PermissionRequest } from '@beak/client'
import { type GuardTrust, type ReceiptTrust, requirePermission } from '@beak/client/adapters/next'
import { isOwnChallenge, memoryPins, memoryUsed, shopChallenge } from '@beak/client/trust'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { key, issuer as lyingIssuer } from '@/lib/fixtures/receipt-maker'
import { useConfig } from '@/lib/kernel/config'
import { startService } from '../service'
import { aLyingHost, anAnswer, aReceipt, type LyingHost, madeUp, params, policy } from '../trust/lying-host'
import { type People, somePeople } from './people'

const url = startService()
const order = { item: 'tea', amount: 2 }
const audience = 'shop.example'

type Required = Pick<
  PermissionRequest,
  'action' | 'params' | 'scope' | 'audience' | 'issuer' | 'require' | 'challenge'
>
interface Answer {
  status: number
  body: { code: string; detail: string; action: string; required: Required }
}

/** Sends a request to a site. */
type Send = (token: string | null) => Promise<Answer>

/** Returns a site with a guard. */
function siteOf(beak: Beak, rule: { action: string; params: object }, trust: GuardTrust | undefined): Send {
  const handler = requirePermission(
    { beak, target: 'anyone', audience, trust, action: rule.action, params: () => ({ ...rule.params }) },
    (_request: Request, _context: unknown, permission) => Response.json(permission),
  )
  return async (token) => {
    const headers = new Headers(token === null ? {} : { 'X-Peck-Grant': token })
    const answer = await handler(new Request('https://shop.example/', { headers }), {})
    return { status: answer.status, body: await answer.json() }
  }
}

describe('a guard, on a real service,', () => {
  let people: People
  let trust: ReceiptTrust

  // The receipts name the address at which the service of the tests answers.
  beforeAll(() => useConfig({ baseUrl: url(), origin: url() }))

  beforeEach(async () => {
    people = await somePeople(url())
    trust = { keys: await new Beak({ url: url() }).getPublicKeys({}) }
  })

  const siteWith = (changes: GuardTrust = trust) =>
    siteOf(new Beak({ url: url() }), { action: 'place:order', params: order }, changes)

  /** What every guard of these sites requires. */
  const usual = () => ({
    action: 'place:order',
    params: order,
    scope: 'limited',
    audience,
    issuer: url(),
  })

  async function permissionFor(
    request: Partial<Required>,
    decide: () => Promise<unknown> = people.sign,
  ): Promise<Permission> {
    const asked = { target: people.target, action: 'place:order', ...request }
    const [{ permission }] = await Promise.all([people.beak.requestPermission(asked), decide()])
    if (permission === null) throw new Error('there is no permission')
    return permission
  }

  it('names a signature and a new challenge in what it requires, and accepts exactly that once', async () => {
    const site = siteWith()
    const [{ status, body }, other] = [await site(null), await site(null)]
    expect([status, body.required]).toEqual([
      401,
      { ...usual(), require: 'signed', challenge: expect.any(String) },
    ])
    expect(other.body.required.challenge).not.toBe(body.required.challenge)
    const { grant_token } = await permissionFor(body.required)
    expect(await site(grant_token)).toMatchObject({ status: 200, body: { uses_left: 0 } })
    expect(await site(grant_token)).toMatchObject({ status: 403, body: { code: 'consumed' } })
  })

  it('needs no options: the client has the keys and the address in receipts', async () => {
    const rule = { action: 'place:order', params: order }
    const site = siteOf(new Beak({ url: url() }), rule, undefined)
    const { grant_token } = await permissionFor((await site(null)).body.required)
    expect((await site(grant_token)).status).toBe(200)
    const unsigned = await permissionFor({ params: order, audience }, people.approve)
    expect(await site(unsigned.grant_token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
  })

  it('accepts a timed permission several times with its one challenge', async () => {
    const site = siteWith()
    const { required } = (await site(null)).body
    const request = { target: people.target, ...required, scope: 'timed' as const }
    const [{ permission }] = await Promise.all([people.beak.requestPermission(request), people.sign()])
    const token = permission?.grant_token ?? ''
    expect([(await site(token)).status, (await site(token)).status]).toEqual([200, 200])
  })

  it('refuses an approval that no passkey signed, and says what to ask for', async () => {
    const site = siteWith()
    const { grant_token } = await permissionFor({ params: order, audience }, people.approve)
    expect(await site(grant_token)).toMatchObject({
      status: 403,
      body: {
        code: 'untrusted',
        detail: expect.stringContaining('no signature of a passkey'),
        action: expect.stringContaining('"challenge"'),
        required: { require: 'signed', challenge: expect.any(String) },
      },
    })
  })

  it.each<[string, () => Partial<Required>]>([
    ['no challenge', () => ({ require: 'signed', challenge: undefined })],
    ['a challenge of another shop', () => ({ challenge: shopChallenge('the secret of another shop') })],
    ['another audience', () => ({ audience: undefined })],
  ])('refuses an approval with %s', async (_, change) => {
    const site = siteWith()
    const { required } = (await site(null)).body
    const { grant_token } = await permissionFor({ ...required, ...change() })
    expect(await site(grant_token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
  })

  it('refuses a challenge that another permission has used', async () => {
    const site = siteWith()
    const { required } = (await site(null)).body
    const [first, second] = [await permissionFor(required), await permissionFor(required)]
    expect((await site(first.grant_token)).status).toBe(200)
    expect(await site(second.grant_token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
    expect((await siteWith({ require: 'service' })(second.grant_token)).status).toBe(200)
  })

  it.each<[string, () => Partial<Required>]>([
    ['without a signature', () => ({})],
    ['with a challenge of another shop', () => ({ challenge: shopChallenge('the secret of another shop') })],
  ])('leaves a permission %s unspent', async (_, demands) => {
    const decide = demands().challenge === undefined ? people.approve : people.sign
    const { grant_token } = await permissionFor({ params: order, audience, ...demands() }, decide)
    expect(await siteWith()(grant_token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
    expect((await siteWith({ require: 'service' })(grant_token)).status).toBe(200)
  })

  it('refuses a challenge that is older than it may be', async () => {
    const secret = 'the secret of this shop'
    const used = memoryUsed()
    const site = siteWith({ ...trust, secret, used, challengeSeconds: 60 })
    const old = shopChallenge(secret, new Date(Date.now() - 120_000))
    const { grant_token } = await permissionFor({ params: order, audience, challenge: old })
    expect(await site(grant_token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
    const { required } = (await site(null)).body
    expect(isOwnChallenge(secret, required.challenge ?? '', 60)).toBe(true)
  })

  it('accepts the passkey of the first contact again', async () => {
    const pins = memoryPins()
    const site = siteWith({ ...trust, pins })
    for (let contact = 0; contact < 2; contact++) {
      const { grant_token } = await permissionFor((await site(null)).body.required)
      expect((await site(grant_token)).status).toBe(200)
    }
    expect(await pins.get(people.target)).toHaveLength(1)
  })

  it('believes Beak with "service", and then names no challenge', async () => {
    const site = siteWith({ require: 'service' })
    expect((await site(null)).body.required).toEqual(usual())
    const { grant_token } = await permissionFor({ params: order }, people.approve)
    expect((await site(grant_token)).status).toBe(200)
  })
})

describe('a guard, on a service that lies,', () => {
  const token = ['a', Buffer.from(JSON.stringify({ action: 'pay:invoice' })).toString('base64url'), 'c'].join(
    '.',
  )
  const siteAt = ({ beak }: LyingHost, trust: ReceiptTrust = {}) =>
    siteOf(beak, { action: 'pay:invoice', params }, { keys: { keys: [key.jwk] }, now: policy.now, ...trust })
  const challenge = async () => (await siteAt(aLyingHost({}))(null)).body.required.challenge ?? ''
  /** The receipts name the day of the decision, and the challenges of the process the day of the test. */
  const today = { now: undefined }

  it('handles one of 50 simultaneous requests, although the service answers "active" to all', async () => {
    const facts = { challenge: await challenge(), grant_seconds: null }
    const host = aLyingHost(anAnswer(aReceipt(facts, { claims: { grant_expires_at: null } })))
    // Two sites of one process: the service must not sell a permission to each of them.
    const sites = [siteAt(host, today), siteAt(host, today)]
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => sites[index % 2]?.(token)))
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer?.body.code === 'consumed')).toHaveLength(49)
  })

  it.each<[string, object]>([
    ['without a receipt', anAnswer(aReceipt(), { receipt: undefined })],
    ['with a receipt of its own word', anAnswer(aReceipt({}, { signer: null }))],
    ['with a signed receipt without a challenge', anAnswer(aReceipt())],
  ])('refuses "active" %s', async (_, answer) => {
    expect(await siteAt(aLyingHost(answer))(token)).toMatchObject({
      status: 403,
      body: { code: 'untrusted' },
    })
  })

  it('refuses a passkey that the service made up, from the second contact on', async () => {
    const pins = memoryPins()
    const site = async (id: string, signer?: typeof madeUp) => {
      const facts = { peck_id: `PECK-${id}`, challenge: await challenge(), grant_seconds: null }
      const changes = { claims: { grant_expires_at: null }, ...(signer === undefined ? {} : { signer }) }
      return siteAt(aLyingHost(anAnswer(aReceipt(facts, changes))), { ...today, pins })(token)
    }
    expect((await site('1')).status).toBe(200)
    expect(await site('2', madeUp)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
    expect((await site('3')).status).toBe(200)
  })

  it('fetches the keys from the address of the service, and acts on nothing without them', async () => {
    const asked: string[] = []
    const fetch = async (address: string) => {
      asked.push(address)
      return new Response(null, { status: 500 })
    }
    const site = siteAt(aLyingHost(anAnswer(aReceipt())), { keys: undefined, fetch })
    expect(await site(token)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(asked).toEqual([`${lyingIssuer}/.well-known/jwks.json`])
  })

  it.each<[string, GuardTrust]>([
    ['"pinned" without pins', { require: 'pinned' }],
    ['"proven" without keys', { require: 'proven' }],
    ['a secret without a store', { secret: 'the secret of this shop' }],
    ['a short secret', { secret: 'short', used: memoryUsed() }],
    ['an issuer without https', { issuer: 'http://pond.example' }],
  ])('is not made with %s', (_, trust) => {
    expect(() => siteOf(aLyingHost({}).beak, { action: 'pay:invoice', params }, trust)).toThrow(TypeError)
  })
})
