/** What a shop accepts from a service that lies about permissions. */
import { PermissionRefusedError } from '@beak/client'
import {
  isOwnChallenge,
  memoryPins,
  memoryUsed,
  type PinStore,
  permissionTrust,
  shopChallenge,
  shopCode,
  type TrustOptions,
} from '@beak/client/trust'
import { describe, expect, it } from 'vitest'
import { pinOf } from '@/lib/fixtures/policy-vectors'
import { issuer, logSigner, otherKey, target, witness } from '@/lib/fixtures/receipt-maker'
import { approver } from '@/lib/fixtures/signed-parts'
import {
  aLyingHost,
  anAnswer,
  aReceipt,
  type LyingHost,
  madeUp,
  nadia,
  newer,
  params,
  policy,
  type ReceiptChanges,
  use,
} from './lying-host'

const trust = (changes: Partial<TrustOptions> = {}): TrustOptions => ({
  policy,
  used: memoryUsed(),
  ...changes,
})
const hostWith = (facts?: Parameters<typeof aReceipt>[0], changes?: ReceiptChanges) =>
  aLyingHost(anAnswer(aReceipt(facts, changes)))

/** Who asks in the receipts. */
const asker = 'DUCK-01K8E5W3GQ0000000000000001'
const agent = 'AGT-01K8E5W3GQ0000000000000004'
const peckId = (end: string) => `PECK-01K8E5W3GQ00000000000000${end}`

describe('a receipt', () => {
  it('lets a permission be used when the passkey signed exactly this use', async () => {
    expect(await use(hostWith(), trust())).toBe('used')
  })

  it.each<[string, object]>([
    ['no receipt', anAnswer(aReceipt(), { receipt: undefined })],
    ['null instead of a receipt', anAnswer(aReceipt(), { receipt: null })],
    ['the receipt of another permission', anAnswer(aReceipt(), { peck_id: peckId('09') })],
    ['a receipt for another action', anAnswer(aReceipt(), { action: 'sell:house' })],
    ['the receipt of another person', anAnswer(aReceipt(), { target_duckling_id: 'DUCK-1' })],
    ['a receipt for another asker', anAnswer(aReceipt(), { requester: { duckling_id: asker } })],
    [
      'a receipt for another agent',
      anAnswer(aReceipt(), { requester: { duckling_id: 'DUCK-1', agent_id: agent } }),
    ],
    ['no asker', anAnswer(aReceipt(), { requester: null })],
    ['no person', anAnswer(aReceipt(), { target_duckling_id: undefined })],
    ['nothing else', {}],
    ['a receipt that only the service signed', anAnswer(aReceipt({}, { signer: null }))],
    [
      'a rejection',
      anAnswer(aReceipt({ decision: 'reject' }, { claims: { outcome: 'rejected', grant_expires_at: null } })),
    ],
    [
      'a revoked permission',
      anAnswer(
        aReceipt(
          { scope: 'timed' },
          { claims: { outcome: 'revoked', uses: 0, ended_at: '2026-09-22T14:15:00.000Z' } },
        ),
      ),
    ],
    ['a receipt for another shop', anAnswer(aReceipt({ audience: 'other.example' }))],
    ['a receipt for any shop', anAnswer(aReceipt({ audience: null }))],
    ['a decision of a person who exists only for tests', anAnswer(aReceipt({ test: true }))],
  ])('refuses the answer "active" with %s', async (_, answer) => {
    const used = memoryUsed()
    expect(await use(aLyingHost(answer), trust({ used }))).toBe('untrusted')
    // A refused receipt must not use up the permission in the shop.
    expect(used.claim(`use:${peckId('03')}`, 'free')).toBe('free')
  })

  it('refuses a receipt for other params', async () => {
    expect(await use(hostWith(), trust(), { params: { ...params, amount: 1 } })).toBe('untrusted')
    expect(await use(hostWith(), trust(), { params: {} })).toBe('untrusted')
  })

  it('refuses a receipt whose service has another key', async () => {
    const keys = { keys: [otherKey.jwk] }
    expect(await use(hostWith(), trust({ policy: { ...policy, keys } }))).toBe('untrusted')
  })

  it('says what is wrong with the receipt', async () => {
    const { beak } = hostWith({}, { signer: null })
    const error = await beak
      .usePermission('a.b.c', params, { audience: 'shop.example', trust: permissionTrust(trust()) })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PermissionRefusedError)
    expect(error).toMatchObject({
      refusal: 'untrusted',
      fault: { part: 'policy', reason: 'trust' },
      message: expect.stringContaining('no signature of a passkey'),
    })
  })

  it('refuses a permission that has expired, although the service calls it active', async () => {
    const later = (time: string) => trust({ policy: { ...policy, now: new Date(time) } })
    expect(await use(hostWith(), later('2026-09-22T15:13:00.000Z'))).toBe('used')
    expect(await use(hostWith(), later('2026-09-22T15:14:00.000Z'))).toBe('expired')
  })

  it('keeps a permission unspent when the keys of the service cannot be read', async () => {
    const host = hostWith()
    const keys = { find: async () => ({ state: 'unavailable', cause: 'The keys cannot be read' }) as const }
    const token = [Buffer.from('{"kid":"k"}').toString('base64url'), 'b', 'c'].join('.')
    const used = host.beak.usePermission(token, params, {
      trust: permissionTrust(trust({ policy: { ...policy, keys } })),
    })
    await expect(used).rejects.toMatchObject({ name: 'BeakConnectionError' })
    expect(host.calls).toEqual([])
  })

  // security: site-20
  it.each<[string, Partial<TrustOptions>]>([
    ['"pinned" without pins', { policy: { ...policy, require: 'pinned' } }],
    ['"proven" without keys of witnesses', { policy: { ...policy, require: 'proven' } }],
    [
      'challenges without a store',
      { challenges: { secret: 'x'.repeat(16), maxAgeSeconds: 1 }, used: undefined },
    ],
    [
      'an approver without pins',
      {
        policy: {
          ...policy,
          require: 'proven',
          vkeys: [logSigner.vkey],
          witnesses: [witness.vkey],
          approver,
        },
      },
    ],
    ['rules without a store', { policy: { ...policy, rules: 'accept' }, used: undefined }],
  ])('refuses %s before it spends anything', async (_, changes) => {
    const host = hostWith()
    await expect(use(host, trust(changes))).rejects.toThrow(TypeError)
    expect(host.calls).toEqual([])
  })
})

describe('a shop that names no audience', () => {
  const challenge = 'order-17'
  const useIn = (host: LyingHost, options: TrustOptions) => use(host, options, { audience: undefined })

  // security: site-21
  it('refuses a permission that names an audience, even when it believes the service', async () => {
    expect(await useIn(hostWith(), trust())).toBe('untrusted')
    expect(await useIn(hostWith({ scope: 'timed' }), trust())).toBe('untrusted')
    expect(await useIn(hostWith(), trust({ policy: { ...policy, require: 'service' } }))).toBe('untrusted')
    expect(await useIn(hostWith({ challenge }), trust({ policy: { ...policy, challenge } }))).toBe(
      'untrusted',
    )
  })

  // security: site-21
  it('refuses a permission for one use that any other shop can use too', async () => {
    const forAny = hostWith({ audience: null })
    const { beak } = forAny
    await expect(
      beak.usePermission('a.b.c', params, { trust: permissionTrust(trust()) }),
    ).rejects.toMatchObject({
      refusal: 'untrusted',
      fault: {
        reason: 'audience',
        message: expect.stringContaining('needs your host name (audience) or a challenge'),
      },
    })
    const pinned = trust({ pins: memoryPins() })
    await pinned.pins?.add(target, pinOf(nadia))
    expect(await useIn(forAny, pinned)).toBe('untrusted')
  })

  it('accepts one with a challenge, one for more uses, and one of a service that it believes', async () => {
    const withChallenge = trust({ policy: { ...policy, challenge } })
    expect(await useIn(hostWith({ audience: null, challenge }), withChallenge)).toBe('used')
    expect(await useIn(hostWith({ audience: null, scope: 'timed' }), trust())).toBe('used')
    const believing = trust({ policy: { ...policy, require: 'service' } })
    expect(await useIn(hostWith({ audience: null }), believing)).toBe('used')
  })
})

describe('an approver', () => {
  const demanding = () => trust({ pins: memoryPins(), policy: { ...policy, approver } })
  const on = (site: string | null, signer: typeof nadia, id: string) =>
    hostWith({ approver: site, peck_id: peckId(id) }, { signer, site: site ?? undefined })

  // security: site-20
  it('counts with a passkey that was pinned: the service can claim the origin for its own passkey only at the first contact', async () => {
    const mine = demanding()
    expect(await use(on(null, nadia, '10'), mine)).toBe('untrusted')
    expect(await use(on('https://other.example', nadia, '11'), mine)).toBe('untrusted')
    expect(await mine.pins?.get(target)).toEqual([])
    expect(await use(on(approver, nadia, '12'), mine)).toBe('used')
    expect(await use(on(approver, madeUp, '13'), mine)).toBe('untrusted')
    expect(await use(on(null, nadia, '14'), mine)).toBe('untrusted')
    expect(await use(on(approver, nadia, '15'), mine)).toBe('used')
  })
})

// security: site-22
it('names who asked as a claim of the service', async () => {
  const { beak } = hostWith()
  const permission = await beak.usePermission('a.b.c', params, {
    audience: 'shop.example',
    trust: permissionTrust(trust()),
  })
  expect(permission.claimed).toMatchObject({
    duckling_id: asker,
    agent_id: agent,
    display_name: 'Nadia',
    trust_tier: 'T1',
  })
  expect(Object.keys(permission).sort()).toEqual(
    ['active', 'peck_id', 'action', 'target_duckling_id', 'claimed', 'uses_left', 'receipt'].sort(),
  )
})

describe('readFirst', () => {
  it('leaves a permission unspent whose receipt is refused', async () => {
    const host = hostWith({}, { signer: null })
    expect(await use(host, trust({ readFirst: true }))).toBe('untrusted')
    expect(host.calls).toEqual(['/beak/peck/check'])
  })

  it('refuses a receipt that is only right before the use', async () => {
    const host = aLyingHost(anAnswer(aReceipt()), anAnswer(aReceipt({}, { signer: null })))
    expect(await use(host, trust({ readFirst: true }))).toBe('untrusted')
    expect(host.calls).toEqual(['/beak/peck/check', '/beak/peck/consume'])
  })

  it('spends a permission whose receipt is accepted, also with an idempotency key', async () => {
    const { beak, calls } = hostWith()
    const options = {
      audience: 'shop.example',
      trust: permissionTrust(trust({ readFirst: true })),
      idempotencyKey: 'k'.repeat(16),
    }
    await beak.usePermission('a.b.c', params, options)
    expect(calls).toEqual(['/beak/peck/check', '/beak/peck/consume'])
  })
})

describe('a one-use permission', () => {
  it('is used once, although the service answers "active" twice', async () => {
    const mine = trust()
    const host = hostWith()
    expect([await use(host, mine), await use(host, mine)]).toEqual(['used', 'consumed'])
  })

  it('is used once by 50 simultaneous requests', async () => {
    const mine = trust()
    const host = hostWith()
    const results = await Promise.all(Array.from({ length: 50 }, () => use(host, mine)))
    expect(results.filter((result) => result === 'used')).toHaveLength(1)
    expect(results.filter((result) => result === 'consumed')).toHaveLength(49)
  })

  it('is remembered as long as the times that the passkey signed allow', async () => {
    const kept: (Date | undefined)[] = []
    const used = memoryUsed()
    const claim: typeof used.claim = (key, owner, until) => {
      kept.push(until)
      return used.claim(key, owner, until)
    }
    await use(hostWith(), trust({ used: { claim } }))
    await use(hostWith({ peck_id: peckId('04'), grant_seconds: null }), trust({ used: { claim } }))
    // `expires_at` of the statement and one hour, and a minute for the clocks.
    expect(kept).toEqual([new Date('2026-09-23T15:01:00.000Z'), undefined])
  })

  it('does not limit a timed permission', async () => {
    const mine = trust()
    const host = hostWith({ scope: 'timed' })
    expect([await use(host, mine), await use(host, mine)]).toEqual(['used', 'used'])
  })
})

describe('a challenge', () => {
  const secret = 'the secret of the shop'
  const asked = new Date('2026-09-22T14:00:00.000Z')
  const challenges = { secret, maxAgeSeconds: 3600 }
  const limited = (challenge: string | null, id = '03') => hostWith({ challenge, peck_id: peckId(id) })
  const timed = (challenge: string, id = '03') =>
    hostWith(
      { challenge, peck_id: peckId(id), scope: 'timed', grant_seconds: 86_400 },
      { claims: { grant_expires_at: '2026-09-23T14:13:20.000Z' } },
    )

  it('is accepted when the shop made it', async () => {
    expect(await use(limited(shopChallenge(secret, asked)), trust({ challenges }))).toBe('used')
  })

  it.each<[string, string | null]>([
    ['no challenge', null],
    ['a challenge of another shop', shopChallenge('the secret of another shop', asked)],
    ['a challenge that nobody made', 'order-17'],
  ])('is demanded: refuses a decision with %s', async (_, challenge) => {
    expect(await use(limited(challenge), trust({ challenges }))).toBe('untrusted')
  })

  it('is accepted for one permission only, of 50 simultaneous ones', async () => {
    const mine = trust({ challenges })
    const challenge = shopChallenge(secret, asked)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => use(limited(challenge, String(index + 10)), mine)),
    )
    expect(results.filter((result) => result === 'used')).toHaveLength(1)
    expect(results.filter((result) => result === 'untrusted')).toHaveLength(49)
  })

  it('stays accepted for the timed permission that used it first, and only for that one', async () => {
    const mine = trust({ challenges })
    const challenge = shopChallenge(secret, asked)
    expect(await use(timed(challenge), mine)).toBe('used')
    expect(await use(timed(challenge), mine)).toBe('used')
    expect(await use(timed(challenge, '04'), mine)).toBe('untrusted')
  })

  it('is too old for a first use after its age, and not for a later use of the same permission', async () => {
    const store = memoryUsed()
    const at = (time: string) =>
      trust({ challenges, used: store, policy: { ...policy, now: new Date(time) } })
    const challenge = shopChallenge(secret, asked)
    expect(await use(timed(challenge), at('2026-09-22T14:59:00.000Z'))).toBe('used')
    expect(await use(timed(challenge), at('2026-09-22T20:00:00.000Z'))).toBe('used')
    const unused = shopChallenge(secret, asked)
    expect(await use(timed(unused, '05'), at('2026-09-22T15:01:00.000Z'))).toBe('untrusted')
    // A late attempt does not make it acceptable either.
    expect(await use(timed(unused, '05'), at('2026-09-22T14:59:00.000Z'))).toBe('untrusted')
  })

  it('of a policy is accepted once, without challenges of the shop', async () => {
    const mine = trust({ policy: { ...policy, challenge: 'order-17' } })
    expect(await use(limited('order-18'), mine)).toBe('untrusted')
    expect(await use(limited('order-17'), mine)).toBe('used')
    expect(await use(limited('order-17', '04'), mine)).toBe('untrusted')
  })
})

describe('shopChallenge', () => {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const made = new Date('2026-09-22T14:00:00.000Z')
  const after = (seconds: number) => new Date(made.getTime() + seconds * 1000)

  it('makes a different text each time, which fits into a request', () => {
    const texts = Array.from({ length: 50 }, () => shopChallenge(secret))
    expect(new Set(texts).size).toBe(50)
    for (const text of texts) expect(text).toMatch(/^[\x21-\x7e]{1,64}$/)
    expect(isOwnChallenge(secret, texts[0] ?? '', 60)).toBe(true)
  })

  it('is recognized until its age', () => {
    const text = shopChallenge(secret, made)
    const isOwnAfter = (seconds: number) => isOwnChallenge(secret, text, 60, after(seconds))
    expect([isOwnAfter(-31), isOwnAfter(-29), isOwnAfter(60), isOwnAfter(61)]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('is not recognized after any change of one character', () => {
    const text = shopChallenge(secret, made)
    for (let at = 0; at < text.length; at++)
      for (const other of ['A', 'z', '0', '.', ' '])
        if (text[at] !== other) {
          const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`
          expect(isOwnChallenge(secret, changed, 60, made), changed).toBe(false)
        }
    for (const wrong of ['', '..', `${text}A`, ` ${text}`, `${text}\n`, text.slice(0, -1)])
      expect(isOwnChallenge(secret, wrong, 60, made), wrong).toBe(false)
  })

  it('needs a secret that nobody can guess', () => {
    expect(() => shopChallenge('short')).toThrow(TypeError)
    expect(() => isOwnChallenge('short', shopChallenge(secret), 60)).toThrow(TypeError)
  })
})

describe('a code', () => {
  const { code, salt, code_hash } = shopCode()
  const typing = (typed: string | null) => hostWith({ code: { hash: code_hash, typed } })
  const withCode = (given = { code, salt }) => trust({ policy: { ...policy, code: given } })
  const other = code === '000000' ? '111111' : '000000'

  it('is accepted when the person typed it', async () => {
    expect(code).toMatch(/^\d{6}$/)
    expect(await use(typing(code), withCode())).toBe('used')
  })

  it('is refused when the person typed another code, or none', async () => {
    expect(await use(typing(other), withCode())).toBe('untrusted')
    expect(await use(typing(null), withCode())).toBe('untrusted')
    expect(await use(hostWith(), withCode())).toBe('untrusted')
  })

  it('is refused when the service chose the code', async () => {
    const { code: others, code_hash: hash } = shopCode()
    const chosen = hostWith({ code: { hash, typed: others } })
    expect(await use(chosen, withCode())).toBe('untrusted')
    expect(await use(chosen, withCode({ code: others, salt }))).toBe('untrusted')
  })
})

describe('pins', () => {
  const signedBy = (signer: typeof nadia, id: string, endorsedBy?: typeof nadia) =>
    hostWith({ peck_id: peckId(id) }, { signer, ...(endorsedBy === undefined ? {} : { endorsedBy }) })

  it('keep the passkey of the first contact, and refuse every other passkey from then on', async () => {
    const mine = trust({ pins: memoryPins() })
    expect(await use(signedBy(nadia, '10'), mine)).toBe('used')
    expect(await mine.pins?.get(target)).toEqual([pinOf(nadia)])
    expect(await use(signedBy(madeUp, '11'), mine)).toBe('untrusted')
    expect(await use(signedBy(nadia, '12'), mine)).toBe('used')
    expect(await mine.pins?.get(target)).toEqual([pinOf(nadia)])
  })

  it('refuse a receipt without a passkey from the first contact on, although the policy believes the service', async () => {
    const mine = trust({ pins: memoryPins(), policy: { ...policy, require: 'service' } })
    const unsigned = (id: string) => hostWith({ peck_id: peckId(id) }, { signer: null })
    expect(await use(unsigned('10'), mine)).toBe('used')
    expect(await mine.pins?.get(target)).toEqual([])
    expect(await use(signedBy(nadia, '11'), mine)).toBe('used')
    expect(await use(unsigned('12'), mine)).toBe('untrusted')
  })

  it('accept and keep a passkey that a kept one endorses', async () => {
    const mine = trust({ pins: memoryPins() })
    await use(signedBy(nadia, '10'), mine)
    expect(await use(signedBy(newer, '11'), mine)).toBe('untrusted')
    expect(await use(signedBy(newer, '12', madeUp), mine)).toBe('untrusted')
    expect(await use(signedBy(newer, '13', nadia), mine)).toBe('used')
    expect(await mine.pins?.get(target)).toEqual([pinOf(nadia), pinOf(newer)])
    expect(await use(signedBy(newer, '14'), mine)).toBe('used')
  })

  it('keep nothing of a receipt that is refused', async () => {
    const mine = trust({ pins: memoryPins() })
    expect(await use(signedBy(madeUp, '10'), mine, { params: {} })).toBe('untrusted')
    expect(await mine.pins?.get(target)).toEqual([])
  })

  it('refuse a first contact when "pinned" is required', async () => {
    const pins = memoryPins()
    const mine = trust({ pins, policy: { ...policy, require: 'pinned' } })
    expect(await use(signedBy(nadia, '10'), mine)).toBe('untrusted')
    pins.add(target, pinOf(nadia))
    expect(await use(signedBy(nadia, '11'), mine)).toBe('used')
  })

  it('keep one passkey when two first contacts are simultaneous', async () => {
    const kept = memoryPins()
    // Both see no pins, as two processes with a slow database would.
    let waiting = 2
    let open = () => {}
    const both = new Promise<void>((resolve) => {
      open = resolve
    })
    const pins: PinStore = {
      ...kept,
      async get(person) {
        const seen = kept.get(person)
        if (--waiting === 0) open()
        await both
        return waiting >= 0 ? seen : kept.get(person)
      },
    }
    const mine = trust({ pins })
    const results = await Promise.all([use(signedBy(nadia, '10'), mine), use(signedBy(madeUp, '11'), mine)])
    expect(results.sort()).toEqual(['untrusted', 'used'])
    expect(await kept.get(target)).toHaveLength(1)
  })
})

it('believes the service without trust', async () => {
  const { beak } = aLyingHost(anAnswer(aReceipt(), { receipt: undefined }))
  expect(await beak.usePermission('a.b.c', params)).toMatchObject({ active: true })
  expect(beak.url).toBe(issuer)
})
