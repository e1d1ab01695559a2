import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { Authenticator, type Deviations } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { randomPhone } from '@/lib/fixtures/accounts'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const elevate = (duckling: ADuckling, body: unknown) =>
  call('PUT /beak/trust/elevate', { token: duckling.token, body })

async function challenge(duckling: ADuckling, purpose = 'elevate') {
  return (await call('POST /beak/passkey/challenge', { token: duckling.token, body: { purpose } })).body
}

async function tierOf({ id }: ADuckling): Promise<string> {
  return (await db().duckling.findUniqueOrThrow({ where: { id } })).trustTier
}

/** Returns the duckling's trust events, oldest first. */
async function trustEvents({ id }: ADuckling): Promise<string[]> {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: id, action: { startsWith: 'trust.' } },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ action, outcome }) => `${action} ${outcome}`)
}

/** Returns a wrong code. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('200', () => {
  it('raises T1 to T2 with a code sent by SMS, and T2 to T3 with a passkey', async () => {
    const duckling = await aDuckling()
    const phone = randomPhone()
    const askedAt = Date.now()
    const sent = await elevate(duckling, { phone })
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({ status: 'challenge_sent', expires_at: expect.stringMatching(/Z$/) })
    const expiresAt = new Date(sent.body.expires_at).getTime()
    expect(expiresAt).toBeGreaterThanOrEqual(askedAt + 600_000)
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 600_000)

    const messages = await sentTo(phone)
    expect(messages.map(({ kind, subject }) => [kind, subject])).toEqual([['phone_code', null]])
    const verified = await elevate(duckling, { otp: await codeFor(phone) })
    expect(verified.body).toEqual({ status: 'elevated', trust_tier: 'T2' })
    const { body: profile } = await call('GET /beak/profile', { token: duckling.token })
    expect(profile).toMatchObject({ trust_tier: 'T2', phone_verified: true })
    expect((await db().duckling.findUniqueOrThrow({ where: { id: duckling.id } })).phone).toBe(phone)

    const { authenticator } = await aPasskey(duckling)
    const confirmed = await elevate(duckling, { passkey: authenticator.get(await challenge(duckling)) })
    expect(confirmed.body).toEqual({ status: 'elevated', trust_tier: 'T3' })
    expect(await tierOf(duckling)).toBe('T3')

    expect(await trustEvents(duckling)).toEqual([
      'trust.elevated success',
      'trust.challenged success',
      'trust.elevated success',
      'trust.elevated success',
    ])
    expect((await sentTo(duckling.email)).map(({ kind }) => kind)).toContain('phone_changed')
  })

  it('sends webhooks with the previous and the new tier', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    await db().webhookEndpoint.create({
      data: {
        id: `WHK-${duckling.id.slice(5)}`,
        ducklingId: duckling.id,
        url: 'http://localhost:9/none',
        kinds: ['trust.elevated'],
        secret: new Uint8Array(1),
        createdAt: readClock(),
      },
    })
    const { authenticator } = await aPasskey(duckling)
    await elevate(duckling, { passkey: authenticator.get(await challenge(duckling)) })
    const messages = await db().webhookMessage.findMany({ where: { ducklingId: duckling.id } })
    await db().webhookEndpoint.deleteMany({ where: { ducklingId: duckling.id } })
    expect(messages.map(({ type, data }) => [type, data])).toEqual([
      ['trust.elevated', { duckling_id: duckling.id, previous_tier: 'T2', trust_tier: 'T3' }],
    ])
  })

  it.each(['+4915112345678', '+447911123456', '+14155550100', '+37067312345'])(
    'accepts the number %s',
    async (phone) => {
      expect((await elevate(await aDuckling(), { phone })).status).toBe(200)
    },
  )

  it('normalizes a number with a superfluous zero', async () => {
    const duckling = await aDuckling()
    expect((await elevate(duckling, { phone: '+4407911123457' })).status).toBe(200)
    await elevate(duckling, { otp: await codeFor('+447911123457') })
    expect((await db().duckling.findUniqueOrThrow({ where: { id: duckling.id } })).phone).toBe(
      '+447911123457',
    )
  })

  it('verifies the number of the entered code when codes were sent to two numbers', async () => {
    const duckling = await aDuckling()
    const [first, second] = [randomPhone(), randomPhone()]
    await elevate(duckling, { phone: first })
    const code = await codeFor(first)
    await elevate(duckling, { phone: second })
    await codeFor(second)
    expect((await elevate(duckling, { otp: code })).status).toBe(200)
    expect((await db().duckling.findUniqueOrThrow({ where: { id: duckling.id } })).phone).toBe(first)
  })

  it('accepts exactly one of 50 simultaneous uses of the right code', async () => {
    const duckling = await aDuckling()
    const phone = randomPhone()
    await elevate(duckling, { phone })
    const otp = await codeFor(phone)
    const answers = await Promise.all(Array.from({ length: 50 }, () => elevate(duckling, { otp })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 401, 409, 429].includes(status))).toEqual([])
    expect((await trustEvents(duckling)).filter((event) => event === 'trust.elevated success')).toHaveLength(
      2,
    )
  })

  it('elevates once when two valid codes or assertions arrive at the same time', async () => {
    const duckling = await aDuckling()
    const phones = [randomPhone(), randomPhone()]
    for (const phone of phones) await elevate(duckling, { phone })
    const codes = [await codeFor(phones[0] ?? ''), await codeFor(phones[1] ?? '')]
    const verified = await Promise.all(codes.map((otp) => elevate(duckling, { otp })))
    expect(verified.map(({ status }) => status).sort()).toEqual([200, 409])

    const { authenticator } = await aPasskey(duckling, {
      authenticator: new Authenticator({ isSynced: true }),
    })
    const assertions = [await challenge(duckling), await challenge(duckling)].map((options) =>
      authenticator.get(options),
    )
    const confirmed = await Promise.all(assertions.map((passkey) => elevate(duckling, { passkey })))
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 409])
    const elevations = (await trustEvents(duckling)).filter((event) => event === 'trust.elevated success')
    expect(elevations).toHaveLength(3)
  })

  it('accepts exactly one of 50 simultaneous uses of one assertion', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    const { authenticator } = await aPasskey(duckling, {
      authenticator: new Authenticator({ isSynced: true }),
    })
    const passkey = authenticator.get(await challenge(duckling))
    const answers = await Promise.all(Array.from({ length: 50 }, () => elevate(duckling, { passkey })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 401, 409].includes(status))).toEqual([])
  })
})

describe('400', () => {
  it.each([
    [{}, 'body'],
    [{ phone: '+14155550100', otp: '123456' }, 'body'],
    [{ phone: '4155550100' }, 'phone'],
    [{ phone: '+0155550100' }, 'phone'],
    [{ phone: '415 555 0100' }, 'phone'],
    [{ phone: '+1415' }, 'phone'],
    [{ phone: '+999123456789' }, 'phone'],
    [{ phone: 14155550100 }, 'phone'],
    // An invalid, a landline, a toll-free, a premium-rate, a personal and two satellite numbers.
    [{ phone: '+1234567890' }, 'phone'],
    [{ phone: '+442079460958' }, 'phone'],
    [{ phone: '+18005550100' }, 'phone'],
    [{ phone: '+19005550100' }, 'phone'],
    [{ phone: '+15005550006' }, 'phone'],
    [{ phone: '+8816123456789' }, 'phone'],
    [{ phone: '+870773111632' }, 'phone'],
    [{ otp: '12345' }, 'otp'],
    [{ otp: 123456 }, 'otp'],
    [{ passkey: {} }, 'passkey.id'],
    [{ trust_tier: 'T3' }, 'trust_tier'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await elevate(await aDuckling(), body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })
})

describe('401', () => {
  it('refuses a wrong code, an expired code and a code for sign-in', async () => {
    const duckling = await aDuckling()
    const phone = randomPhone()
    await elevate(duckling, { phone })
    const code = await codeFor(phone)
    expect((await elevate(duckling, { otp: otherThan(code) })).body.code).toBe('E4006')

    await call('POST /beak/signin/otp', { body: { email: duckling.email } })
    const signinCode = await codeFor(duckling.email)
    if (signinCode !== code) expect((await elevate(duckling, { otp: signinCode })).status).toBe(401)

    await db().otpCode.updateMany({
      where: { address: phone },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    expect((await elevate(duckling, { otp: code })).status).toBe(401)
    expect(await tierOf(duckling)).toBe('T1')
  })

  it('refuses a code that another duckling requested', async () => {
    const [one, other] = [await aDuckling(), await aDuckling()]
    const phone = randomPhone()
    await elevate(one, { phone })
    expect((await elevate(other, { otp: await codeFor(phone) })).status).toBe(401)
  })

  it.each<[string, string, Deviations]>([
    ['another origin', 'origin', { origin: 'https://beak.example' }],
    ['no user verification', 'user_verification', { isUserVerified: false }],
    ['a signature by another key', 'signature', { isForged: true }],
    ['an unknown challenge', 'challenge', { challenge: 'A'.repeat(43) }],
    ['a counter that did not grow', 'counter', { counter: 1 }],
  ])('refuses a passkey with %s', async (_, cause, deviations) => {
    const duckling = await aDuckling({ tier: 'T2' })
    const { authenticator } = await aPasskey(duckling)
    const passkey = authenticator.get(await challenge(duckling), deviations)
    const { status, body } = await elevate(duckling, { passkey })
    expect([status, body.code]).toEqual([401, 'E4006'])
    expect(await tierOf(duckling)).toBe('T2')
    const [refused] = await db().auditEvent.findMany({
      where: { ducklingId: duckling.id, action: 'trust.elevated', outcome: 'denied' },
    })
    expect(refused?.metadata).toMatchObject({ cause, failure: 'passkey_assertion_invalid' })
  })

  it("refuses another duckling's passkey, and a challenge of another duckling or for sign-in", async () => {
    const [duckling, other] = [await aDuckling({ tier: 'T2' }), await aDuckling({ tier: 'T2' })]
    const own = await aPasskey(duckling)
    const otherPasskey = await aPasskey(other)
    const { body: login } = await call('POST /beak/passkey/login/options')
    for (const passkey of [
      otherPasskey.authenticator.get(await challenge(duckling)),
      own.authenticator.get(await challenge(other)),
      own.authenticator.get(login),
    ])
      expect((await elevate(duckling, { passkey })).status).toBe(401)
    expect(await tierOf(duckling)).toBe('T2')
  })
})

describe('403', () => {
  it('is returned for a passkey at T1 with the required tier T2', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    const passkey = authenticator.get(await challenge(duckling))
    const { status, body } = await elevate(duckling, { passkey })
    expect([status, body]).toMatchObject([403, { code: 'E4002', required_tier: 'T2', current_tier: 'T1' }])
  })
})

describe('409', () => {
  it('is returned for the verified number at T2 and for a passkey at T3', async () => {
    const verified = await aDuckling({ tier: 'T2' })
    const phone = randomPhone()
    await db().duckling.update({ where: { id: verified.id }, data: { phone } })
    expect((await elevate(verified, { phone })).body.code).toBe('E4008')
    expect(await sentTo(phone)).toEqual([])
    const highest = await aDuckling({ tier: 'T3' })
    const { authenticator } = await aPasskey(highest)
    const passkey = authenticator.get(await challenge(highest))
    expect((await elevate(highest, { passkey })).body.code).toBe('E4008')
  })
})

describe('429', () => {
  it('limits codes to a number to three in ten minutes, from all accounts together', async () => {
    const phone = randomPhone()
    const statuses = []
    for (let index = 0; index < 4; index++)
      statuses.push((await elevate(await aDuckling(), { phone })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('is returned after five wrong codes, even when they are sent at the same time', async () => {
    const duckling = await aDuckling()
    const phone = randomPhone()
    await elevate(duckling, { phone })
    const code = await codeFor(phone)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => elevate(duckling, { otp: otherThan(code) })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
    const right = await elevate(duckling, { otp: code })
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(await tierOf(duckling)).toBe('T1')
  })
})
