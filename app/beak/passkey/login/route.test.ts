import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import type { RequestOptions } from '@/lib/domain/passkeys/schema'
import { Authenticator, type Deviations } from '@/lib/factories/authenticator'
import { aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { assertionsOfProviders } from '@/lib/fixtures/provider-passkeys'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

async function options(): Promise<RequestOptions> {
  return (await call('POST /beak/passkey/login/options')).body
}

const login = (credential: unknown) => call('POST /beak/passkey/login', { body: { credential } })

async function signInWith(authenticator: Authenticator, deviations?: Deviations) {
  return login(authenticator.get(await options(), deviations))
}

/** Returns the causes of the refused sign-ins in a duckling's audit log, oldest first. */
async function causesOf(ducklingId: string): Promise<unknown[]> {
  const events = await db().auditEvent.findMany({
    where: { ducklingId, action: 'session.started', outcome: 'denied' },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ metadata }) => (metadata as { cause?: string }).cause)
}

describe('200', () => {
  // security: check-16
  it('returns options that name no account, with 32 random bytes of challenge', async () => {
    const [first, second] = [await options(), await options()]
    expect(first).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
    })
    expect(second.challenge).not.toBe(first.challenge)
  })

  it.each(['ES256', 'EdDSA', 'RS256'] as const)('signs in the owner of a passkey (%s)', async (algorithm) => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling, { authenticator: new Authenticator({ algorithm }) })
    const { status, body } = await signInWith(authenticator)
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.any(String),
      expires_at: expect.any(String),
      trust_tier: 'T1',
      duckling_id: duckling.id,
      device_token: expect.stringMatching(/^DEV-/),
    })
    const profile = await call('GET /beak/profile', { token: body.token })
    expect(profile.body.duckling_id).toBe(duckling.id)
    const session = await db().session.findFirstOrThrow({
      where: { ducklingId: duckling.id },
      orderBy: { id: 'desc' },
    })
    expect(session.amr).toEqual(['pop', 'user'])
  })

  it('accepts a synced passkey repeatedly, although its counter stays 0', async () => {
    const duckling = await aDuckling()
    const { id, authenticator } = await aPasskey(duckling, {
      authenticator: new Authenticator({ isSynced: true }),
    })
    expect((await signInWith(authenticator)).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(200)
    const row = await db().passkey.findUniqueOrThrow({ where: { id } })
    expect([row.counter, row.backedUp, row.lastUsedAt]).toEqual([0n, true, expect.any(Date)])
  })

  it.each(assertionsOfProviders)('accepts an assertion %s', async (_, change, deviations) => {
    const duckling = await aDuckling()
    const synced = { authenticator: new Authenticator({ isSynced: true }) }
    const { authenticator } = await aPasskey(duckling, synced)
    const { status, body } = await login(change(authenticator.get(await options(), deviations)))
    expect([status, body.duckling_id]).toEqual([200, duckling.id])
  })

  it('accepts the passkey of another provider that does not say that it is synced', async () => {
    const { id, authenticator } = await aPasskey(await aDuckling())
    for (const isSynced of [true, false]) {
      expect((await signInWith(authenticator, { isSynced })).status).toBe(200)
      expect((await db().passkey.findUniqueOrThrow({ where: { id } })).backedUp).toBe(isSynced)
    }
  })

  it('ends a lock of mailed codes', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    const guard = { subject: duckling.id, purpose: 'signin' as const }
    await db().otpGuard.upsert({
      where: { subject_purpose: guard },
      create: {
        ...guard,
        failures: 100,
        pausedUntil: secondsAfter(readClock(), 3600),
        updatedAt: readClock(),
      },
      update: { failures: 100, pausedUntil: secondsAfter(readClock(), 3600) },
    })
    const tryCode = () => call('POST /beak/signin', { body: { email: duckling.email, otp: '000000' } })
    expect((await tryCode()).status).toBe(429)
    expect((await signInWith(authenticator)).status).toBe(200)
    expect((await tryCode()).status).toBe(401)
  })
})

describe('400', () => {
  it.each([
    [{}, 'credential'],
    [{ credential: {} }, 'credential.id'],
    [{ credential: 'text' }, 'credential'],
    [{ credential: { id: 'x'.repeat(2000) } }, 'credential.id'],
    [{ credential: {}, email: 'a@example.com' }, 'email'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/passkey/login', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })
})

describe('401', () => {
  const wrong: [string, string, Deviations][] = [
    ['another origin', 'origin', { origin: 'https://beak.example' }],
    ['an origin with ours as its prefix', 'origin', { origin: 'http://localhost:3000.example' }],
    ["another site's frame", 'origin', { crossOrigin: true }],
    [
      "another site's frame, which only its origin tells",
      'origin',
      { clientText: (text) => text.replace('{', '{"topOrigin":"https://evil.example",') },
    ],
    ['another relying party', 'rp_id', { rpId: 'beak.example' }],
    ['another type', 'type', { type: 'webauthn.create' }],
    ['no user verification', 'user_verification', { isUserVerified: false }],
    ['what is backed up without being able to', 'malformed', { isOnlyBackedUp: true }],
    ['an unknown challenge', 'challenge', { challenge: 'A'.repeat(43) }],
    ['a signature by another key', 'signature', { isForged: true }],
    [
      "another duckling's user handle",
      'user_handle',
      { userHandle: Buffer.from('DUCK-0000000000000000').toString('base64url') },
    ],
  ]

  // security: site-13, check-17
  it.each(wrong)('refuses %s, and shows the cause only to the owner', async (_, cause, deviations) => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    const { status, body } = await signInWith(authenticator, deviations)
    expect([status, body.code, body.detail]).toEqual([
      401,
      'E4006',
      'The passkey assertion is not valid, or its challenge has expired or was used.',
    ])
    expect(await causesOf(duckling.id)).toEqual([cause])
    expect((await signInWith(authenticator)).status).toBe(200)
  })

  it('refuses a rawId that is not the id', async () => {
    const { authenticator } = await aPasskey(await aDuckling())
    const credential = authenticator.get(await options())
    expect((await login({ ...credential, rawId: new Authenticator().credentialId })).status).toBe(401)
  })

  // security: check-18
  it("refuses an assertion signed by one duckling's key under another's credential id", async () => {
    const [victim, attacker] = [await aDuckling(), await aDuckling()]
    const otherPasskey = await aPasskey(victim)
    const own = await aPasskey(attacker)
    const answer = await signInWith(own.authenticator, {
      credentialId: otherPasskey.authenticator.credentialId,
      userHandle: Buffer.from(victim.id).toString('base64url'),
    })
    expect(answer.status).toBe(401)
    expect(await causesOf(victim.id)).toEqual(['signature'])
  })

  // security: stranger-10
  it('refuses a successful body that is sent again', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling, {
      authenticator: new Authenticator({ isSynced: true }),
    })
    const credential = authenticator.get(await options())
    expect((await login(credential)).status).toBe(200)
    expect((await login(credential)).status).toBe(401)
    expect(await causesOf(duckling.id)).toEqual(['challenge'])
  })

  it('accepts exactly one of 50 simultaneous sign-ins with one assertion', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling, {
      authenticator: new Authenticator({ isSynced: true }),
    })
    const credential = authenticator.get(await options())
    const before = await db().session.count({ where: { ducklingId: duckling.id } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(credential)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
    expect(await db().session.count({ where: { ducklingId: duckling.id } })).toBe(before + 1)
  })

  // security: stranger-10
  it('spends the challenge even when the sign-in is refused', async () => {
    const { authenticator } = await aPasskey(await aDuckling())
    const given = await options()
    expect((await login(authenticator.get(given, { isForged: true }))).status).toBe(401)
    expect((await login(authenticator.get(given))).status).toBe(401)
  })

  // security: check-16
  it('refuses a challenge older than five minutes', async () => {
    const { authenticator } = await aPasskey(await aDuckling())
    const given = await options()
    const row = await db().ceremony.findUniqueOrThrow({ where: { challenge: given.challenge } })
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(300_000)
    await db().ceremony.update({ where: { id: row.id }, data: { expiresAt: secondsAfter(readClock(), -1) } })
    expect((await login(authenticator.get(given))).status).toBe(401)
  })

  it('refuses a challenge for another purpose', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    const { body: given } = await call('POST /beak/passkey/challenge', {
      token: duckling.token,
      body: { purpose: 'elevate' },
    })
    expect((await login(authenticator.get(given))).status).toBe(401)
  })

  // security: check-19
  it('refuses a counter that did not grow, notifies the owner by mail and records the cause', async () => {
    const duckling = await aDuckling()
    const { id, authenticator } = await aPasskey(duckling)
    expect((await signInWith(authenticator, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0]) expect((await signInWith(authenticator, { counter })).status).toBe(401)
    expect(await causesOf(duckling.id)).toEqual(['counter', 'counter', 'counter'])
    const mails = (await sentTo(duckling.email)).filter(({ kind }) => kind === 'passkey_counter')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('3 times')
    expect((await db().passkey.findUniqueOrThrow({ where: { id } })).counter).toBe(7n)
  })

  it('ignores the counter of an assertion with a forged signature', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    await signInWith(authenticator, { counter: 7 })
    expect((await signInWith(authenticator, { counter: 1, isForged: true })).status).toBe(401)
    expect(await causesOf(duckling.id)).toEqual(['signature'])
    expect((await sentTo(duckling.email)).filter(({ kind }) => kind === 'passkey_counter')).toHaveLength(0)
  })

  // security: check-19
  it('refuses a removed passkey', async () => {
    const duckling = await aDuckling()
    const { id, authenticator } = await aPasskey(duckling)
    await confirmWithPasskey(duckling, authenticator)
    await call('POST /beak/passkey/remove', { token: duckling.token, body: { passkey_id: id } })
    expect((await signInWith(authenticator)).status).toBe(401)
  })

  it('refuses the passkey of a closed account', async () => {
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt: readClock() } })
    expect((await signInWith(authenticator)).status).toBe(401)
  })

  it.each([
    '',
    '!!!!',
    'bnVsbA',
    'e30',
    Buffer.from('{"challenge":{"$ne":1},"type":"webauthn.get","origin":"http://localhost:3000"}').toString(
      'base64url',
    ),
    Buffer.from([0xff, 0xfe, 0x00]).toString('base64url'),
  ])('refuses malformed client data: %j', async (clientDataJSON) => {
    const { authenticator } = await aPasskey(await aDuckling())
    const credential = authenticator.get(await options())
    const { status, body } = await login({
      ...credential,
      response: { ...credential.response, clientDataJSON },
    })
    expect([status, body.code]).toEqual([401, 'E4006'])
  })

  it.each([
    { authenticatorData: '' },
    { authenticatorData: 'AAAA' },
    { authenticatorData: '***' },
    { signature: '' },
    { signature: '***' },
    { signature: 'AAAA' },
  ])('refuses malformed %j', async (part) => {
    const { authenticator } = await aPasskey(await aDuckling())
    const credential = authenticator.get(await options())
    const { status } = await login({ ...credential, response: { ...credential.response, ...part } })
    expect(status).toBe(401)
  })
})
