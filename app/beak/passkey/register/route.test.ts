import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import type { CreationOptions } from '@/lib/domain/passkeys/schema'
import { Authenticator, type Deviations } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { registrationsOfProviders } from '@/lib/fixtures/provider-passkeys'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let duckling: ADuckling
beforeEach(async () => {
  duckling = await aDuckling()
})

async function options(): Promise<CreationOptions> {
  return (await call('POST /beak/passkey/register', { token: duckling.token })).body
}

const verify = (credential: unknown, name?: string) =>
  call('POST /beak/passkey/register/verify', { token: duckling.token, body: { credential, name } })

async function register(deviations: Deviations = {}, authenticator = new Authenticator()) {
  return verify(authenticator.create(await options(), deviations))
}

const list = async () => (await call('GET /beak/passkey/list', { token: duckling.token })).body.items

/** Sets the sign-in time of the duckling's sessions to that many seconds ago. */
async function setSignInAgo(seconds: number): Promise<void> {
  await db().session.updateMany({
    where: { ducklingId: duckling.id },
    data: { authTime: secondsAfter(readClock(), -seconds) },
  })
}

/** Returns kinds and outcomes of the passkey events in the duckling's audit log, oldest first. */
async function passkeyEvents(): Promise<string[]> {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: duckling.id, action: { startsWith: 'passkey.' } },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ action, outcome }) => `${action} ${outcome}`)
}

describe('200', () => {
  it('returns options for a discoverable, user-verified passkey of the caller', async () => {
    const { authenticator } = await aPasskey(duckling)
    await confirmWithPasskey(duckling, authenticator)
    expect(await options()).toEqual({
      rp: { id: 'localhost', name: 'Beak' },
      user: {
        id: Buffer.from(duckling.id).toString('base64url'),
        name: duckling.email,
        displayName: duckling.displayName,
      },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 300_000,
      excludeCredentials: [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal'] }],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      hints: [],
      extensions: { credProps: true },
    })
  })

  // security: check-13
  it('registers a passkey, lists and records it, and notifies the owner by mail', async () => {
    const authenticator = new Authenticator({ isSynced: true })
    const { status, body } = await verify(authenticator.create(await options()), 'My phone')
    expect(status).toBe(200)
    expect(body).toEqual({
      passkey_id: expect.stringMatching(/^PK-[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'My phone',
      created_at: expect.stringMatching(/Z$/),
      backed_up: true,
      user_verified: true,
    })
    expect(await list()).toEqual([{ ...body, last_used_at: null, transports: ['internal'], endorsed: false }])
    expect(await passkeyEvents()).toEqual(['passkey.challenged success', 'passkey.registered success'])
    const mails = (await sentTo(duckling.email)).filter(({ kind }) => kind === 'passkey_added')
    expect(mails.map(({ text }) => text.includes('My phone'))).toEqual([true])
  })

  it('numbers passkeys without a name', async () => {
    const authenticator = new Authenticator()
    expect((await register({}, authenticator)).body.name).toBe('Passkey 1')
    await confirmWithPasskey(duckling, authenticator)
    expect((await register()).body.name).toBe('Passkey 2')
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Passkey 2', 'Passkey 1'])
  })

  it.each(registrationsOfProviders)('accepts a passkey %s', async (_, change, deviations) => {
    const { status } = await verify(change(new Authenticator().create(await options(), deviations)))
    expect(status).toBe(200)
  })

  it('ignores members that browsers add, and the attestation statement', async () => {
    const attestation = {
      fmt: 'packed',
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(8)],
        ['x5c', [new Uint8Array(4)]],
      ]),
    }
    const credential = new Authenticator().create(await options(), { attestation })
    const { status } = await verify({
      ...credential,
      authenticatorAttachment: null,
      response: { ...credential.response, publicKeyAlgorithm: -7, authenticatorData: 'AAAA' },
    })
    expect(status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    [{}, 'credential'],
    [{ credential: { id: 'AAAA', rawId: 'AAAA', type: 'public-key' } }, 'credential.response'],
    [{ credential: {}, name: '' }, 'name'],
    [{ credential: {}, user_id: 'x' }, 'user_id'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/passkey/register/verify', { token: duckling.token, body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  it('refuses a body for POST /beak/passkey/register', async () => {
    const { status } = await call('POST /beak/passkey/register', {
      token: duckling.token,
      body: { user: 'me' },
    })
    expect(status).toBe(400)
  })
})

describe('401', () => {
  it.each<[string, Deviations]>([
    ['another origin', { origin: 'https://beak.example' }],
    ["another site's frame", { crossOrigin: true }],
    [
      "another site's frame, which only its origin tells",
      { clientText: (text) => text.replace('{', '{"topOrigin":"https://evil.example",') },
    ],
    ['what is backed up without being able to', { isOnlyBackedUp: true }],
    ['another relying party', { rpId: 'beak.example' }],
    ['another type', { type: 'webauthn.get' }],
    ['no user verification', { isUserVerified: false }],
    ['an unknown challenge', { challenge: 'A'.repeat(43) }],
  ])('refuses %s', async (_, deviations) => {
    const { status, body } = await register(deviations)
    expect([status, body.code]).toEqual([401, 'E4006'])
    expect(await list()).toEqual([])
    expect(await passkeyEvents()).toEqual(['passkey.challenged success', 'passkey.registered denied'])
  })

  it('refuses a challenge that was used, has expired, or is for another purpose or another duckling', async () => {
    const used = await options()
    const authenticator = new Authenticator()
    expect((await verify(authenticator.create(used))).status).toBe(200)
    await confirmWithPasskey(duckling, authenticator)
    expect((await verify(new Authenticator().create(used))).status).toBe(401)

    const old = await options()
    await db().ceremony.updateMany({
      where: { challenge: old.challenge },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    expect((await verify(new Authenticator().create(old))).status).toBe(401)

    const { body: login } = await call('POST /beak/passkey/login/options')
    expect((await register({ challenge: login.challenge })).status).toBe(401)

    const other = await aDuckling()
    const otherPasskey = await call('POST /beak/passkey/register', { token: other.token })
    expect((await verify(new Authenticator().create(otherPasskey.body))).status).toBe(401)
  })

  it('refuses an algorithm that is not offered', async () => {
    const { status } = await register({}, new Authenticator({ algorithm: 'ES384' }))
    expect(status).toBe(401)
    expect(await list()).toEqual([])
  })

  it('refuses an id that differs from the id in the attestation object', async () => {
    const credential = new Authenticator().create(await options())
    const { status } = await verify({ ...credential, id: 'AAAA', rawId: 'AAAA' })
    expect(status).toBe(401)
  })

  it.each([
    { clientDataJSON: '' },
    { clientDataJSON: 'bnVsbA' },
    { attestationObject: '' },
    { attestationObject: '***' },
    { attestationObject: 'gYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGB' },
    { attestationObject: Buffer.alloc(20_000, 0x81).toString('base64url') },
  ])('refuses malformed parts of the credential', async (part) => {
    const credential = new Authenticator().create(await options())
    const { status } = await verify({ ...credential, response: { ...credential.response, ...part } })
    expect(status).toBe(401)
  })
})

describe('403', () => {
  it('allows the first passkey only within ten minutes after the sign-in', async () => {
    const credential = new Authenticator().create(await options())
    await setSignInAgo(10 * minute + 5)
    const refused = [
      await call('POST /beak/passkey/register', { token: duckling.token }),
      await verify(credential),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([403, 'E4009']))
    expect(await list()).toHaveLength(0)

    await setSignInAgo(10 * minute - 5)
    expect((await verify(credential)).status).toBe(200)
  })

  it('allows one of 20 simultaneous first passkeys: the others need a proof with it', async () => {
    const given = await Promise.all(Array.from({ length: 20 }, () => options()))
    const answers = await Promise.all(given.map((one) => verify(new Authenticator().create(one))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.required === 'passkey')).toHaveLength(19)
    expect(await list()).toHaveLength(1)
  })
})

describe('404', () => {
  it("is returned for another duckling's passkey, and for one that was just removed", async () => {
    const own = await aPasskey(duckling, { name: 'Old phone' })
    await confirmWithPasskey(duckling, own.authenticator)
    const otherPasskey = await aPasskey(await aDuckling())
    const remove = (passkeyId: string) =>
      call('POST /beak/passkey/remove', { token: duckling.token, body: { passkey_id: passkeyId } })
    expect((await remove(otherPasskey.id)).status).toBe(404)
    expect(await db().passkey.findUnique({ where: { id: otherPasskey.id } })).not.toBeNull()

    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(own.id)))
    const [removed, ...others] = answers.sort((left, right) => left.status - right.status)
    expect([removed?.status, removed?.body.passkey_id]).toEqual([200, own.id])
    expect(others.map(({ status }) => status)).toEqual(Array(9).fill(404))
    expect(await list()).toEqual([])
    expect((await sentTo(duckling.email)).filter(({ kind }) => kind === 'passkey_removed')).toHaveLength(1)
    expect((await passkeyEvents()).filter((event) => event === 'passkey.removed success')).toHaveLength(1)
  })
})

describe('409', () => {
  // security: check-21
  it('is returned for a credential id that this or another account has registered', async () => {
    const authenticator = new Authenticator()
    expect((await register({}, authenticator)).status).toBe(200)
    await confirmWithPasskey(duckling, authenticator)
    expect((await register({}, authenticator)).body.code).toBe('E4008')
    const other = await aDuckling()
    const { body } = await call('POST /beak/passkey/register', { token: other.token })
    const stolen = await call('POST /beak/passkey/register/verify', {
      token: other.token,
      body: { credential: new Authenticator().create(body, { credentialId: authenticator.credentialId }) },
    })
    expect([stolen.status, stolen.body.code]).toEqual([409, 'E4008'])
  })

  it('is returned for 19 of 20 simultaneous registrations of one credential', async () => {
    const first = await aPasskey(duckling)
    await confirmWithPasskey(duckling, first.authenticator)
    const authenticator = new Authenticator()
    const given = await Promise.all(Array.from({ length: 20 }, () => options()))
    const answers = await Promise.all(given.map((one) => verify(authenticator.create(one))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  it('is returned after 20 passkeys, also for simultaneous registrations', async () => {
    const { authenticator } = await aPasskey(duckling)
    await confirmWithPasskey(duckling, authenticator)
    for (let index = 1; index < 18; index++) await aPasskey(duckling)
    const given = await Promise.all(Array.from({ length: 5 }, () => options()))
    const answers = await Promise.all(given.map((one) => verify(new Authenticator().create(one))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'E4008')).toHaveLength(3)
    const refused = await call('POST /beak/passkey/register', { token: duckling.token })
    expect([refused.status, refused.body.code]).toEqual([409, 'E4008'])
  })
})
