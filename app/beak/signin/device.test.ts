/** Known devices (contract F, Wrong codes): their tries and codes are counted separately from tries and codes of strangers. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { unknownSubject } from '@/lib/domain/codes/codes'
import { networkKey, networkSubject } from '@/lib/domain/codes/live-codes'
import { requestSignInCode, signInWithCode } from '@/lib/domain/identity/sign-in'
import { storeDevice } from '@/lib/domain/sessions/devices'
import { startSession } from '@/lib/domain/sessions/start'
import { type ADuckling, aDuckling, aNetwork, anonymously, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { Failure } from '@/lib/kernel/request/failures'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

const password = 'gently paddling upstream'
/** A well-formed token that was never issued. */
const unknownToken = `DEV-${'0'.repeat(26)}${'0'.repeat(52)}`

/** Returns a code that differs from the given one. */
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')
const idOf = (deviceToken: string) => deviceToken.slice(0, 30)

/** The network of the strangers, and of new devices. */
const network = aNetwork()

function ask(email: string, deviceToken?: string) {
  return call('POST /beak/signin/otp', { body: { email, device_token: deviceToken }, from: network() })
}

function enter(email: string, otp: string, deviceToken?: string) {
  return call('POST /beak/signin', { body: { email, otp, device_token: deviceToken }, from: network() })
}

/** The context of a call of a stranger. */
const aStranger = (now = readClock()) => ({ ...anonymously(now), ip: network() })

/** Makes earlier codes older than ten minutes, so that they do not count towards the limit of three. */
async function ageCodes(address: string): Promise<void> {
  await db().otpCode.updateMany({ where: { address }, data: { createdAt: secondsAfter(readClock(), -hour) } })
}

/** Signs in with a code. Returns the device token. */
async function aDevice(duckling: ADuckling): Promise<string> {
  await ask(duckling.email)
  const { body } = await enter(duckling.email, await codeFor(duckling.email))
  await ageCodes(duckling.email)
  return body.device_token
}

async function aPasswordAccount() {
  const email = randomEmail()
  const { body } = await call('POST /beak/signup', { body: { email, password } })
  const enterPassword = (given: string, deviceToken?: string) =>
    call('POST /beak/signin', { body: { email, password: given, device_token: deviceToken } })
  return { id: body.duckling_id as string, email, token: body.token as string, enterPassword }
}

/** Tries a code at that time. Returns the failure, or null when it signed in. */
async function outcomeAt(now: Date, email: string, code: string, deviceToken?: string) {
  try {
    await signInWithCode(aStranger(now), email, code, deviceToken)
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Requests 20 codes and enters 20 wrong ones, as fast as the pauses allow. Returns the time of the last try. */
async function lockByStrangers(email: string, start: Date): Promise<Date> {
  const before = secondsAfter(start, -2 * day)
  await db().otpCode.updateMany({ where: { address: email }, data: { createdAt: before } })
  let now = start
  for (let round = 0; round < 20; round++) {
    now = secondsAfter(start, round * (hour + 1))
    await requestSignInCode(aStranger(now), email)
    await drainOutbox()
    for (let index = 0; index < (round < 16 ? 0 : 5); index++)
      expect((await outcomeAt(now, email, 'wrong'))?.failure).toBe('sign_in_failed')
  }
  return now
}

const guardOf = (subject: string) =>
  db().otpGuard.findUnique({ where: { subject_purpose: { subject, purpose: 'signin' } } })

/** The count of the strangers for an account or an unknown address. */
const strangersGuardOf = (account: string) => guardOf(networkSubject(account, networkKey(network())))

describe('a lock after 20 wrong codes in a row', () => {
  // security: stranger-5
  it('lasts 24 hours, does not lock out a known device, and restarts the count afterwards', async () => {
    const duckling = await aDuckling()
    const { id, email } = duckling
    const device = await aDevice(duckling)
    const last = await lockByStrangers(email, secondsAfter(readClock(), -4 * day))
    const soon = secondsAfter(last, 60)
    // The strangers have used all 20 codes of the day.
    const before = (await sentTo(email)).length
    await requestSignInCode(aStranger(soon), email)
    expect(await sentTo(email)).toHaveLength(before)
    await requestSignInCode(aStranger(soon), email, device)
    expect(await sentTo(email)).toHaveLength(before + 1)
    const code = await codeFor(email)
    const locked = await outcomeAt(soon, email, code)
    expect([locked?.failure, locked?.extras.retry_after]).toEqual(['code_locked', day - 60])
    expect((await signInWithCode(anonymously(soon), email, code, device)).device_token).toBe(device)
    const almost = await outcomeAt(secondsAfter(last, day - 1), email, code)
    expect([almost?.failure, almost?.extras.retry_after]).toEqual(['code_locked', 1])
    // Tries during the lock do not extend it.
    const over = secondsAfter(last, day)
    expect((await outcomeAt(over, email, 'wrong'))?.failure).toBe('sign_in_failed')
    expect(await strangersGuardOf(id)).toMatchObject({ tries: 1, failures: 1, pausedUntil: null })
    await requestSignInCode(aStranger(over), email)
    expect(await outcomeAt(over, email, await codeFor(email))).toBeNull()
  }, 120_000)

  it('ends for a known device within 24 hours, or immediately after a passkey sign-in', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    const { authenticator } = await aPasskey(duckling)
    const now = readClock()
    const key = { subject: idOf(device), purpose: 'signin' as const }
    const wrong = { tries: 4, failures: 19, pausedUntil: null, updatedAt: now }
    await db().otpGuard.upsert({
      where: { subject_purpose: key },
      create: { ...key, ...wrong },
      update: wrong,
    })
    expect((await enter(email, '000000', device)).status).toBe(401)
    const answer = await enter(email, '000000', device)
    expect([answer.status, answer.body.detail]).toEqual([429, expect.stringContaining('for a day')])
    expect(answer.body.retry_after).toBeGreaterThan(day - 60)
    expect(answer.body.retry_after).toBeLessThanOrEqual(day)
    expect((await enter(email, '000000')).status).toBe(401)
    const credential = authenticator.get((await call('POST /beak/passkey/login/options')).body)
    expect((await call('POST /beak/passkey/login', { body: { credential } })).status).toBe(200)
    expect((await enter(email, '000000', device)).status).toBe(401)
  })
})

describe('a device token', () => {
  it('is returned by every sign-in method', async () => {
    const account = await aPasswordAccount()
    const duckling = await aDuckling()
    const { authenticator } = await aPasskey(duckling)
    const credential = authenticator.get((await call('POST /beak/passkey/login/options')).body)
    const tokens = [
      await aDevice(duckling),
      (await account.enterPassword(password)).body.device_token,
      (await call('POST /beak/passkey/login', { body: { credential } })).body.device_token,
    ]
    for (const token of tokens) expect(token).toMatch(/^DEV-[0-9A-HJKMNP-TV-Z]{78}$/)
    expect(new Set(tokens).size).toBe(3)
  })

  it('is returned unchanged to the client that sent it, and is then valid for 180 days', async () => {
    const duckling = await aDuckling()
    const device = await aDevice(duckling)
    const where = { id: idOf(device) }
    await db().deviceToken.update({ where, data: { expiresAt: secondsAfter(readClock(), 60) } })
    await ask(duckling.email, device)
    const { body } = await enter(duckling.email, await codeFor(duckling.email), device)
    expect(body.device_token).toBe(device)
    const { expiresAt } = await db().deviceToken.findUniqueOrThrow({ where })
    expect(expiresAt.getTime() - readClock().getTime()).toBeGreaterThan((180 * day - 60) * 1000)
    expect(expiresAt.getTime() - readClock().getTime()).toBeLessThanOrEqual(180 * day * 1000)
    expect(await db().deviceToken.count({ where: { ducklingId: duckling.id } })).toBe(1)
  })

  it('is returned unchanged by a passkey sign-in that sends it', async () => {
    const duckling = await aDuckling()
    const device = await aDevice(duckling)
    const { authenticator } = await aPasskey(duckling)
    const login = async (device_token: string) => {
      const credential = authenticator.get((await call('POST /beak/passkey/login/options')).body)
      return (await call('POST /beak/passkey/login', { body: { credential, device_token } })).body
        .device_token
    }
    expect(await login(device)).toBe(device)
    expect(await login(unknownToken)).not.toBe(unknownToken)
  })

  it('is ignored when it is malformed, unknown, expired, wrong or of another account', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    const expired = await aDevice(duckling)
    await db().deviceToken.update({ where: { id: idOf(expired) }, data: { expiresAt: readClock() } })
    const useless = [
      'nonsense',
      '',
      unknownToken,
      `${idOf(device)}${unknownToken.slice(30)}`,
      device.toLowerCase(),
      expired,
      await aDevice(await aDuckling()),
    ]
    for (const token of useless) {
      await ageCodes(email)
      await ask(email, device)
      const ownCode = await codeFor(email)
      // The code of the known device does not work with this token.
      expect((await enter(email, ownCode, token)).status).toBe(401)
      expect((await ask(email, token)).status).toBe(200)
      const { status, body } = await enter(email, await codeFor(email), token)
      expect(status).toBe(200)
      expect(body.device_token).toMatch(/^DEV-/)
      expect(useless).not.toContain(body.device_token)
    }
    // Codes requested with an ignored token count as codes of strangers.
    const counted = { address: email, purpose: 'signin' as const, deviceId: null }
    expect(await db().otpCode.count({ where: counted })).toBe(2 + useless.length)
  })

  it.each([{ device_token: 7 }, { device_token: null }, { device_token: 'D'.repeat(201) }])(
    'is reported as an invalid field in %j',
    async (field) => {
      const email = randomEmail()
      for (const [line, body] of [
        ['POST /beak/signin', { email, otp: '123456', ...field }],
        ['POST /beak/signin/otp', { email, ...field }],
      ] as const) {
        const answer = await call(line, { body })
        expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, 'device_token'])
      }
    },
  )

  it('is removed when an account has 20 newer ones, starting with the least recently used', async () => {
    const { id, enterPassword } = await aPasswordAccount()
    const [first, second] = [
      (await enterPassword(password)).body.device_token,
      (await enterPassword(password)).body.device_token,
    ]
    await enterPassword(password, first)
    const context = anonymously()
    const signIn = () =>
      transaction(async (tx) => {
        const session = await startSession(tx, context, { id, trustTier: 'T0', distrustedKeys: 0 }, ['otp'])
        return storeDevice(tx, context.now, id, session, null)
      })
    await Promise.all(Array.from({ length: 19 }, signIn))
    const left = await db().deviceToken.findMany({ where: { ducklingId: id } })
    expect(left).toHaveLength(20)
    expect(left.map((row) => row.id)).toContain(idOf(first))
    expect(left.map((row) => row.id)).not.toContain(idOf(second))
  })
})

describe('a known device', () => {
  // security: session-16
  it('ends when its session is revoked, but not when its session signs out', async () => {
    const duckling = await aDuckling()
    const kept = await aDevice(duckling)
    await ask(duckling.email)
    const gone = (await enter(duckling.email, await codeFor(duckling.email))).body
    const sessionOf = async (token: string) => {
      const { body } = await call('GET /beak/session/list', { token })
      return body.items.find((item: { current: boolean }) => item.current).session_id
    }
    await call('POST /beak/session/revoke', {
      token: duckling.token,
      body: { session_id: await sessionOf(gone.token) },
    })
    const ids = async () =>
      (await db().deviceToken.findMany({ where: { ducklingId: duckling.id } })).map(({ id }) => id)
    expect(await ids()).toEqual([idOf(kept)])
    await ageCodes(duckling.email)
    await ask(duckling.email, kept)
    const { token } = (await enter(duckling.email, await codeFor(duckling.email), kept)).body
    await call('POST /beak/signout', { token })
    expect(await ids()).toEqual([idOf(kept)])
  })

  it('ends when all other sessions are revoked from another device', async () => {
    const { id, token, enterPassword } = await aPasswordAccount()
    const stranger = await aPasswordAccount()
    await stranger.enterPassword(password)
    // The session of a device may have ended long before its token expires.
    const signedOut = (await enterPassword(password)).body
    await call('POST /beak/signout', { token: signedOut.token })
    await enterPassword(password)
    const own = (await enterPassword(password)).body
    await call('POST /beak/session/revoke', { token: own.token, body: { all_others: true } })
    const left = await db().deviceToken.findMany({ where: { ducklingId: id } })
    expect(left.map((row) => row.id)).toEqual([idOf(own.device_token)])
    expect(await db().deviceToken.count({ where: { ducklingId: stranger.id } })).toBe(1)
    expect((await call('GET /beak/profile', { token })).status).toBe(401)
  })

  it('ends when the account is closed', async () => {
    const duckling = await aDuckling()
    const device = await aDevice(duckling)
    await enter(duckling.email, '000000', device)
    expect((await call('POST /beak/account/delete', { token: duckling.token })).status).toBe(200)
    expect(await db().deviceToken.count({ where: { ducklingId: duckling.id } })).toBe(0)
    expect(await guardOf(idOf(device))).toBeNull()
  })
})

describe('the code of a known device', () => {
  // security: stranger-5
  it('stays valid after wrong tries and newer codes of strangers', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    await ask(email, device)
    const code = await codeFor(email)
    for (let index = 0; index < 3; index++) await ask(email)
    expect((await sentTo(email)).length).toBeGreaterThan(4)
    for (let index = 0; index < 6; index++) await enter(email, otherThan(code))
    expect((await enter(email, code)).status).toBe(429)
    expect((await enter(email, code, device)).status).toBe(200)
    expect((await enter(email, code, device)).status).toBe(401)
  })

  it('works only on that device', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const [device, second] = [await aDevice(duckling), await aDevice(duckling)]
    await ask(email, device)
    const code = await codeFor(email)
    expect((await enter(email, code)).status).toBe(401)
    expect((await enter(email, code, second)).status).toBe(401)
    expect((await enter(email, code, device)).status).toBe(200)
  })

  it('works on that device besides codes that were requested without a token', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    await ask(email)
    const shared = await codeFor(email)
    await ask(email, device)
    expect((await enter(email, await codeFor(email), device)).status).toBe(200)
    expect((await enter(email, shared, device)).body.device_token).toBe(device)
  })

  it('starts exactly one session for 50 simultaneous correct tries', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    await ask(email, device)
    const code = await codeFor(email)
    const before = await db().session.count({ where: { ducklingId: duckling.id } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(email, code, device)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 401, 429].includes(status))).toBe(true)
    expect(await db().session.count({ where: { ducklingId: duckling.id } })).toBe(before + 1)
  })

  it('is void after five wrong tries of the device, which is paused after ten', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    await ask(email, device)
    const code = await codeFor(email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(email, otherThan(code), device)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect((await enter(email, code, device)).status).toBe(429)
    expect((await sentTo(email)).filter(({ kind }) => kind === 'code_failures')).toHaveLength(1)
    await ask(email, device)
    const second = await codeFor(email)
    expect((await enter(email, code, device)).status).toBe(401)
    for (let index = 0; index < 4; index++) await enter(email, otherThan(second), device)
    await ask(email, device)
    const paused = await enter(email, await codeFor(email), device)
    expect(paused.status).toBe(429)
    expect(paused.body.retry_after).toBeGreaterThan(890)
    expect(await guardOf(duckling.id)).toMatchObject({ failures: 0 })
  })

  it('is mailed at most 3 times in ten minutes and 20 times a day, counted separately from strangers', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    const codes = async () => (await sentTo(email)).filter(({ kind }) => kind === 'signin_code').length
    const before = await codes()
    for (let index = 0; index < 5; index++) await ask(email, device)
    expect(await codes()).toBe(before + 3)
    for (let index = 0; index < 5; index++) await ask(email)
    expect(await codes()).toBe(before + 6)
    const earlier = secondsAfter(readClock(), -hour)
    await db().otpCode.createMany({
      data: Array.from({ length: 17 }, (_, index) => ({
        id: `OTP-${email}-${index}`,
        purpose: 'signin' as const,
        address: email,
        deviceId: idOf(device),
        createdAt: earlier,
      })),
    })
    await ageCodes(email)
    await ask(email, device)
    expect(await codes()).toBe(before + 6)
  })

  it('is not sent when the device was removed meanwhile', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    const before = (await sentTo(email)).length
    await requestSignInCode(aStranger(), email, device)
    await db().deviceToken.delete({ where: { id: idOf(device) } })
    expect(await sentTo(email)).toHaveLength(before)
  })
})

describe('passwords', () => {
  it('are counted separately for a known device', async () => {
    const { id, enterPassword } = await aPasswordAccount()
    const device = (await enterPassword(password)).body.device_token
    for (let index = 0; index < 10; index++) await enterPassword('not the right one')
    expect((await enterPassword(password)).status).toBe(429)
    expect((await enterPassword(password, device)).body.device_token).toBe(device)
    for (let index = 0; index < 10; index++) await enterPassword('not the right one', device)
    const paused = await enterPassword(password, device)
    expect([paused.status, paused.body.code]).toEqual([429, 'E4004'])
    const guards = await db().otpGuard.findMany({
      where: { purpose: 'password', subject: { in: [id, idOf(device)] } },
    })
    expect(guards.map(({ failures }) => failures)).toEqual([10, 10])
  })
})

describe('the limits with device tokens', () => {
  it('are the limits of strangers for mail to an address that was never verified', async () => {
    const { email, enterPassword } = await aPasswordAccount()
    for (let round = 0; round < 3; round++) {
      const device = (await enterPassword(password)).body.device_token
      for (let index = 0; index < 2; index++) await ask(email, device)
    }
    // The sign-up came from another network.
    expect((await sentTo(email)).filter(({ kind }) => kind.endsWith('_code'))).toHaveLength(1 + 3)
  })

  // security: session-16
  it('are the limits of strangers after 200 tries a day of all devices of an account', async () => {
    const { id, email, enterPassword } = await aPasswordAccount()
    const device = (await enterPassword(password)).body.device_token
    await enter(email, '000000', device)
    expect(await strangersGuardOf(id)).toBeNull()
    await db().dailyCount.updateMany({ where: { name: 'device_tries', key: id }, data: { count: 200 } })
    await enter(email, '000000', device)
    expect(await guardOf(id)).toMatchObject({ failures: 1 })
  })

  it('are the limits of strangers after 60 codes a day of all devices of an account', async () => {
    const duckling = await aDuckling()
    const { email } = duckling
    const device = await aDevice(duckling)
    await ask(email, device)
    await db().dailyCount.updateMany({
      where: { name: 'device_codes', key: duckling.id },
      data: { count: 60 },
    })
    await ask(email, device)
    const newest = await db().otpCode.findFirst({ where: { address: email }, orderBy: { id: 'desc' } })
    expect(newest?.deviceId).toBeNull()
  })
})

describe('an unknown address', () => {
  it('gets the same answers with a device token as a known address without one', async () => {
    const [duckling, other] = [await aDuckling(), await aDuckling()]
    const device = await aDevice(other)
    const unknown = randomEmail()
    const plain = ({ status, body }: Awaited<ReturnType<typeof call>>) => ({
      status,
      ...body,
      request_id: '',
    })
    expect(plain(await ask(unknown, device))).toEqual(plain(await ask(duckling.email, device)))
    for (let index = 0; index < 7; index++)
      expect(plain(await enter(unknown, '000000', device))).toEqual(
        plain(await enter(duckling.email, '000000', device)),
      )
    expect(await strangersGuardOf(unknownSubject(unknown))).toMatchObject({ tries: 5, failures: 5 })
    expect(await strangersGuardOf(duckling.id)).toMatchObject({ tries: 5, failures: 5 })
    expect(await guardOf(idOf(device))).toBeNull()
  })

  it('is paused and released like a known address', async () => {
    const { email } = await aDuckling()
    const statuses = async (address: string) => {
      const seen = []
      for (let round = 0; round < 3; round++) {
        await ageCodes(address)
        await ask(address)
        await sentTo(address)
        for (let index = 0; index < 6; index++) {
          const { status, body } = await enter(address, '000000')
          seen.push([status, body.detail])
        }
      }
      return seen
    }
    expect(await statuses(randomEmail())).toEqual(await statuses(email))
  })
})
