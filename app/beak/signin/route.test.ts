import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { unknownSubject } from '@/lib/domain/codes/codes'
import { networkKey, networkSubject } from '@/lib/domain/codes/live-codes'
import { requestSignInCode, signInWithCode } from '@/lib/domain/identity/sign-in'
import { aDuckling, aNetwork, anonymously, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { Failure } from '@/lib/kernel/request/failures'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

/** Returns a code that differs from the given ones. */
function wrongCode(...right: string[]): string {
  const code = ['000000', '111111', '222222', '333333'].find((candidate) => !right.includes(candidate))
  return code ?? '444444'
}

/** The network of the person who signs in. */
const home = aNetwork()

async function aSignInCode(email: string): Promise<string> {
  await requestSignInCode({ ...anonymously(), ip: home() }, email)
  return codeFor(email)
}

const tryCode = (email: string, otp: string, from = home()) =>
  call('POST /beak/signin', { body: { email, otp }, from })

/** The count of wrong codes of the home network for an account or an unknown address. */
const guardOf = (account: string) =>
  ({
    subject_purpose: { subject: networkSubject(account, networkKey(home())), purpose: 'signin' },
  }) as const

describe('200', () => {
  it('signs in with a mailed code and returns the current tier', async () => {
    const duckling = await aDuckling()
    const { status, body } = await tryCode(duckling.email.toUpperCase(), await aSignInCode(duckling.email))
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.any(String),
      expires_at: expect.stringMatching(/T.*\.000Z$/),
      trust_tier: 'T1',
      device_token: expect.stringMatching(/^DEV-/),
    })
    expect((await call('GET /beak/profile', { token: body.token })).body.duckling_id).toBe(duckling.id)
  })

  // security: check-24
  it('starts a new session with its own token for every sign-in', async () => {
    const duckling = await aDuckling()
    const first = await tryCode(duckling.email, await aSignInCode(duckling.email))
    const claims = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims(first.body.token)).toMatchObject({
      sub: duckling.id,
      amr: ['otp'],
      trust_tier: 'T1',
      aud: 'http://localhost:3000',
    })
    expect(claims(first.body.token).sid).not.toBe(claims(duckling.token).sid)
    expect(claims(first.body.token).exp - claims(first.body.token).iat).toBe(86400)
  })

  it('accepts the sign-up code once at sign-in and once at verification', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const otp = await codeFor(duckling.email)
    const signin = await tryCode(duckling.email, otp)
    expect(signin.status).toBe(200)
    expect((await tryCode(duckling.email, otp)).status).toBe(401)
    expect((await call('POST /beak/verify-email', { token: signin.body.token, body: { otp } })).status).toBe(
      200,
    )
  })

  it('accepts the two newest codes and rejects older ones', async () => {
    const duckling = await aDuckling()
    const codes = [await aSignInCode(duckling.email)]
    await db().otpCode.updateMany({
      where: { address: duckling.email },
      data: { createdAt: secondsAfter(readClock(), -599) },
    })
    codes.push(await aSignInCode(duckling.email))
    await db().otpCode.updateMany({
      where: { address: duckling.email, createdAt: { gt: secondsAfter(readClock(), -300) } },
      data: { createdAt: secondsAfter(readClock(), -598) },
    })
    // With a third code, the first one is no longer among the two newest.
    await db().otpCode.updateMany({
      where: { address: duckling.email, purpose: 'signup' },
      data: { createdAt: secondsAfter(readClock(), -700) },
    })
    codes.push(await aSignInCode(duckling.email))
    expect((await tryCode(duckling.email, codes[0] ?? '')).status).toBe(401)
    expect((await tryCode(duckling.email, codes[1] ?? '')).status).toBe(200)
    expect((await tryCode(duckling.email, codes[2] ?? '')).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    [{ otp: '123456' }, 'email'],
    [{ email: 'a@example.com' }, 'otp'],
    [{ email: 'a@example.com', otp: '12345' }, 'otp'],
    [{ email: 'a@example.com', otp: 123456 }, 'otp'],
    [{ email: 'a@example.com', otp: '123456', password: 'x' }, 'otp'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/signin', { body })
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })

  it('names all missing fields', async () => {
    const { body } = await call('POST /beak/signin')
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual(['email', 'otp'])
  })
})

describe('401', () => {
  // security: check-3, check-4
  it('rejects an expired code, a code of another account, and a used code', async () => {
    const [duckling, other] = [await aDuckling(), await aDuckling()]
    const code = await aSignInCode(duckling.email)
    await expect(
      signInWithCode(anonymously(secondsAfter(readClock(), 601)), duckling.email, code),
    ).rejects.toThrow(Failure)
    expect((await tryCode(other.email, code)).status).toBe(401)
    expect((await tryCode(duckling.email, code)).status).toBe(200)
    expect((await tryCode(duckling.email, code)).status).toBe(401)
  })

  it('records a refused sign-in in the log of the account', async () => {
    const duckling = await aDuckling()
    await tryCode(duckling.email, wrongCode(await aSignInCode(duckling.email)))
    const event = await db().auditEvent.findFirst({
      where: { ducklingId: duckling.id, action: 'session.started', outcome: 'denied' },
    })
    expect(event).toMatchObject({
      actorType: 'anonymous',
      metadata: { code: 'E4006', purpose: 'signin', wrong_tries: 1 },
    })
  })
})

describe('429', () => {
  // security: stranger-1, check-6
  it('checks at most five of 50 simultaneous wrong tries, voids the codes and mails the owner', async () => {
    const duckling = await aDuckling()
    const otp = await aSignInCode(duckling.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => tryCode(duckling.email, wrongCode(otp))),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
    const right = await tryCode(duckling.email, otp)
    expect([right.status, right.body.code, right.headers.get('retry-after')]).toEqual([429, 'E4004', '30'])
    expect((await sentTo(duckling.email)).filter(({ kind }) => kind === 'code_failures')).toHaveLength(1)
  })

  // security: stranger-2, check-5
  it('lets exactly one of 50 simultaneous correct tries sign in', async () => {
    const duckling = await aDuckling()
    const otp = await aSignInCode(duckling.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => tryCode(duckling.email, otp)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 401, 429].includes(status))).toBe(true)
    // Those that were too late are wrong tries, each of them once.
    const refused = answers.filter(({ status }) => status === 401).length
    const { failures } = await db().otpGuard.findUniqueOrThrow({ where: guardOf(duckling.id) })
    expect(failures).toBe(refused)
  })

  // security: stranger-1, check-9
  it('pauses codes for 15 minutes after ten wrong tries in a row, whatever the number of codes sent, then for an hour, and keeps sessions valid', async () => {
    const duckling = await aDuckling()
    const guard = guardOf(duckling.id)
    const failFive = async () => {
      await db().otpCode.updateMany({
        where: { address: duckling.email },
        data: { createdAt: secondsAfter(readClock(), -3600) },
      })
      const code = await aSignInCode(duckling.email)
      for (let index = 0; index < 5; index++) await tryCode(duckling.email, wrongCode(code))
      return code
    }
    await failFive()
    expect((await db().otpGuard.findUniqueOrThrow({ where: guard })).pausedUntil).toBeNull()
    await failFive()
    const paused = await db().otpGuard.findUniqueOrThrow({ where: guard })
    expect(paused.failures).toBe(10)
    const answer = await tryCode(duckling.email, await aSignInCode(duckling.email))
    expect(answer.status).toBe(429)
    expect(answer.body.retry_after).toBeGreaterThan(890)
    expect(answer.body.retry_after).toBeLessThanOrEqual(900)
    expect((await call('GET /beak/profile', { token: duckling.token })).status).toBe(200)
    await db().otpGuard.update({ where: guard, data: { pausedUntil: readClock() } })
    await failFive()
    const again = await tryCode(duckling.email, '000000')
    expect(again.body.retry_after).toBeGreaterThan(3590)
    expect(again.body.retry_after).toBeLessThanOrEqual(3600)
  })

  // security: D5, check-7
  it('disables codes for 24 hours after 20 wrong tries in a row', async () => {
    const duckling = await aDuckling()
    const otp = await aSignInCode(duckling.email)
    await tryCode(duckling.email, wrongCode(otp))
    await db().otpGuard.update({
      where: guardOf(duckling.id),
      data: { failures: 19, tries: 0 },
    })
    await tryCode(duckling.email, wrongCode(otp))
    const answer = await tryCode(duckling.email, otp)
    expect([answer.status, answer.body.action]).toEqual([429, expect.stringContaining('passkey')])
    expect(answer.body.retry_after).toBeGreaterThan(86_400 - 60)
    expect(answer.body.retry_after).toBeLessThanOrEqual(86_400)
  })

  it('counts tries for an unknown address in the same way', async () => {
    const email = randomEmail()
    const statuses = []
    for (let index = 0; index < 6; index++) statuses.push((await tryCode(email, '123456')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  // security: check-14
  it('pauses passwords after ten wrong tries', async () => {
    const email = randomEmail()
    await call('POST /beak/signup', { body: { email, password: 'gently paddling upstream' } })
    for (let index = 0; index < 10; index++)
      await call('POST /beak/signin', { body: { email, password: `wrong number ${index}` } })
    const answer = await call('POST /beak/signin', { body: { email, password: 'gently paddling upstream' } })
    expect([answer.status, answer.body.code]).toEqual([429, 'E4004'])
  })
})

describe('POST /beak/signin/otp', () => {
  // security: D1, check-10
  it('returns the same answer for a known, an unknown and an exhausted address, and mails only the known one', async () => {
    const duckling = await aDuckling()
    const unknown = randomEmail()
    const ask = (email: string) => call('POST /beak/signin/otp', { body: { email }, from: home() })
    const answers = [
      await ask(duckling.email),
      await ask(duckling.email),
      await ask(duckling.email),
      await ask(duckling.email),
      await ask(unknown),
    ]
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        200,
        { success: true, message: expect.any(String), expires_in: 600, resend_after: 30 },
      ])
    }
    expect((await sentTo(duckling.email)).filter(({ kind }) => kind === 'signin_code')).toHaveLength(3)
    expect(await sentTo(unknown)).toEqual([])
  })

  // security: stranger-6
  it('records no event for an unknown address', async () => {
    const email = randomEmail()
    await tryCode(email, '123456')
    const subject = unknownSubject(email)
    expect(await db().auditEvent.count({ where: { ducklingId: subject } })).toBe(0)
    expect(await db().auditChain.count({ where: { ducklingId: subject } })).toBe(0)
    expect(await db().otpGuard.count({ where: { subject } })).toBe(1)
  })
})

describe('a stranger in another network', () => {
  const stranger = aNetwork()
  const askFrom = (ip: string, email: string, now = readClock()) =>
    requestSignInCode({ ...anonymously(now), ip }, email)
  const signInCodes = async (email: string) =>
    (await sentTo(email)).filter(({ kind }) => kind === 'signin_code').length

  // security: stranger-3
  it('cannot keep the owner out of a new device with codes: 20 requested and 20 wrong ones', async () => {
    const { email } = await aDuckling()
    for (let hours = 12; hours > 0; hours -= 0.5)
      await askFrom(stranger(), email, secondsAfter(readClock(), -hours * 3600))
    expect(await signInCodes(email)).toBe(20)
    for (let index = 0; index < 20; index++) await tryCode(email, '111111', stranger())
    expect((await tryCode(email, '000000', stranger())).status).toBe(429)
    const code = await aSignInCode(email)
    expect((await tryCode(email, code)).status).toBe(200)
  })

  // security: stranger-3
  it('does not replace the codes of the owner, and does not void them with wrong ones', async () => {
    const { email } = await aDuckling()
    const code = await aSignInCode(email)
    for (let index = 0; index < 3; index++) await askFrom(stranger(), email)
    expect(await signInCodes(email)).toBe(4)
    for (let index = 0; index < 6; index++) await tryCode(email, wrongCode(code), stranger())
    expect((await tryCode(email, code)).status).toBe(200)
  })

  it('causes at most three mails in ten minutes, with 20 simultaneous requests', async () => {
    const { email } = await aDuckling()
    await Promise.all(Array.from({ length: 20 }, () => askFrom(stranger(), email)))
    expect(await signInCodes(email)).toBe(3)
  })

  // security: stranger-4
  it('causes at most 60 mails a day to an address with many networks, the sign-up code included', async () => {
    const { email } = await aDuckling()
    await Promise.all(Array.from({ length: 70 }, () => askFrom(aNetwork()(), email)))
    expect(await signInCodes(email)).toBe(59)
  })

  // security: stranger-4
  it('gets at most 60 wrong tries with many networks at once, and then networks are locked for a day', async () => {
    const { email, id, token } = await aDuckling()
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => tryCode(email, '000000', aNetwork()())),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60)
    const locked = answers.find(({ status }) => status === 429)
    expect(locked?.body.reason).toBe('code_locked')
    expect(locked?.body.retry_after).toBeGreaterThan(86_400 - 60)
    expect((await tryCode(email, await aSignInCode(email))).body.reason).toBe('code_locked')
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
    await db().otpGuard.updateMany({
      where: { subject: id },
      data: { pausedUntil: readClock(), updatedAt: secondsAfter(readClock(), -86_400) },
    })
    expect((await tryCode(email, await aSignInCode(email))).status).toBe(200)
  })
})
