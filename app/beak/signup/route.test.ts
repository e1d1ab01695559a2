import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'

describe('200', () => {
  it('creates a duckling at T0, signs it in and mails a code that verifies its address', async () => {
    const email = randomEmail()
    const { status, body } = await call('POST /beak/signup', { body: { email, display_name: 'Alice1' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      trust_tier: 'T0',
      duckling_id: expect.stringMatching(/^DUCK-[0-9A-HJKMNP-TV-Z]{26}$/),
    })
    const verified = await call('POST /beak/verify-email', {
      token: body.token,
      body: { otp: await codeFor(email) },
    })
    expect(verified.body).toEqual({ success: true, trust_tier: 'T1', duckling_id: body.duckling_id })
    const profile = await call('GET /beak/profile', { token: body.token })
    expect(profile.body).toMatchObject({
      display_name: 'Alice1',
      trust_tier: 'T1',
      email,
      email_verified: true,
      egg_count: 0,
    })
  })

  it('generates a name for a sign-up with a password, and accepts the password at sign-in', async () => {
    const email = randomEmail()
    const signup = await call('POST /beak/signup', { body: { email, password: 'gently paddling upstream' } })
    expect(signup.status).toBe(200)
    const signin = await call('POST /beak/signin', { body: { email, password: 'gently paddling upstream' } })
    expect(signin.status).toBe(200)
    const profile = await call('GET /beak/profile', { token: signin.body.token })
    expect(profile.body.display_name).toMatch(/^Duck[0-9A-Z]{8}$/)
  })

  it.each([
    ['  Zoe\u0308  Weber ', 'Zoë Weber', /^ZoeWeber$/],
    ['李雷', '李雷', /^Duck[0-9A-Z]{8}$/],
    ['محمد', 'محمد', /^Duck[0-9A-Z]{8}$/],
  ])('keeps the full name %j and makes a display name that fits', async (full_name, kept, made) => {
    const { status, body } = await call('POST /beak/signup', { body: { email: randomEmail(), full_name } })
    expect(status).toBe(200)
    const profile = await call('GET /beak/profile', { token: body.token })
    expect(profile.body).toMatchObject({
      full_name: kept,
      display_name: expect.stringMatching(made),
      next_name_change_at: null,
    })
  })

  it('lists the person in the directory, and never with directory_visible false', async () => {
    const listed = async (choice: object) => {
      const email = randomEmail()
      const { body } = await call('POST /beak/signup', { body: { email, display_name: 'Alice1', ...choice } })
      await call('POST /beak/verify-email', { token: body.token, body: { otp: await codeFor(email) } })
      const { body: entries } = await call('GET /beak/spaceducks?q=Alice1&limit=100')
      const mark = body.duckling_id.slice(-4)
      return entries.items.some(({ duckling_id: id }: { duckling_id: string }) => id.endsWith(mark))
    }
    expect(await listed({})).toBe(true)
    expect(await listed({ directory_visible: true })).toBe(true)
    expect(await listed({ directory_visible: false })).toBe(false)
  })

  it('keeps both names of a sign-up with both', async () => {
    const names = { display_name: 'Teal', full_name: 'Anna Weber' }
    const { body } = await call('POST /beak/signup', { body: { email: randomEmail(), ...names } })
    expect((await call('GET /beak/profile', { token: body.token })).body).toMatchObject(names)
  })

  it('adds an egg to the owner of the referral code when the new duckling verifies its address', async () => {
    const owner = await call('POST /beak/signup', { body: { email: randomEmail(), display_name: 'Mother' } })
    const { body: before } = await call('GET /beak/profile', { token: owner.body.token })
    const email = randomEmail()
    const child = await call('POST /beak/signup', {
      body: { email, display_name: 'Child', referral_code: before.referral_code },
    })
    expect((await call('GET /beak/profile', { token: owner.body.token })).body.egg_count).toBe(0)
    await call('POST /beak/verify-email', { token: child.body.token, body: { otp: await codeFor(email) } })
    expect((await call('GET /beak/profile', { token: owner.body.token })).body.egg_count).toBe(1)
  })
})

describe('400', () => {
  // security: check-49
  it.each([
    [{ display_name: 'Alice1' }, 'email'],
    [{ email: 'not an address', display_name: 'Alice1' }, 'email'],
    [{ email: 'a@example.com' }, 'display_name'],
    [{ email: 'a@example.com', display_name: 'no' }, 'display_name'],
    [{ email: 'a@example.com', display_name: 'Beakadmin' }, 'display_name'],
    [{ email: 'a@example.com', display_name: 'Аlice1' }, 'display_name'],
    [{ email: 'a@example.com', display_name: 'Alice1', trust_tier: 'T3' }, 'trust_tier'],
    [{ email: 'a@example.com', full_name: 'Beak Support' }, 'full_name'],
    [{ email: 'a@example.com', full_name: 'Anna\r\nBcc: eve@example.com' }, 'full_name'],
    [{ email: 'a@example.com', full_name: 'Anna\u202eWeber' }, 'full_name'],
    [{ email: 'a@example.com', full_name: '<b>Anna</b>' }, 'full_name'],
    [{ email: 'a@example.com', password: 'short' }, 'password'],
    [{ email: 'a@example.com', password: 'password1234' }, 'password'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/signup', { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      code: 'E4000',
      success: false,
      errors: [{ field, message: expect.any(String) }],
    })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  it('rejects a reserved name, and accepts a word that only contains one', async () => {
    const signUp = (name: string) =>
      call('POST /beak/signup', { body: { email: randomEmail(), display_name: name } })
    const { status, body } = await signUp('Supp0rt')
    expect([status, body.errors]).toEqual([
      400,
      [{ field: 'display_name', message: expect.stringContaining('reserved word') }],
    ])
    expect((await signUp('Badminton')).status).toBe(200)
  })

  it.each(['Bob Smith', ' Bob', 'Bob\u00a0Smith'])(
    'says of %j that a name may not contain spaces',
    async (name) => {
      const { status, body } = await call('POST /beak/signup', {
        body: { email: randomEmail(), display_name: name },
      })
      expect([status, body.errors]).toEqual([
        400,
        [{ field: 'display_name', message: expect.stringContaining('must not contain spaces') }],
      ])
    },
  )

  // security: check-34
  it('names every invalid field, including missing and unknown ones', async () => {
    const fields = async (body: unknown) =>
      (await call('POST /beak/signup', { body })).body.errors.map((error: { field: string }) => error.field)
    expect(await fields({})).toEqual(['email', 'display_name'])
    expect(await fields({ email: 'a@example.com', colour: 'green' })).toEqual(['colour', 'display_name'])
    expect(await fields({ email: 7, display_name: 'no', colour: 'green' })).toEqual([
      'email',
      'display_name',
      'colour',
    ])
  })

  it.each([
    'P@ssw0rd1234',
    'adminadmin12',
    'abcdefghijkl',
    'zyxwvutsrqpo',
    'qwertyuiop[]',
    'qwertzuiopü+',
    '123456789012',
  ])('rejects the common password %s', async (password) => {
    const { status, body } = await call('POST /beak/signup', { body: { email: randomEmail(), password } })
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'password'])
  })

  it.each(['gently paddling upstream', 'ünïcödé-pässwörd', 'Zk9-qpXy7!kk', 'abcdefghijkl-Tango'])(
    'accepts the password %s',
    async (password) => {
      expect((await call('POST /beak/signup', { body: { email: randomEmail(), password } })).status).toBe(200)
    },
  )
})

describe('409', () => {
  // security: D1, check-11
  it('rejects a known address in any spelling, and mails its owner once a day', async () => {
    const email = randomEmail()
    await call('POST /beak/signup', { body: { email, display_name: 'First' } })
    for (const spelling of [email, email.toUpperCase(), ` ${email} `]) {
      const { status, body } = await call('POST /beak/signup', {
        body: { email: spelling, display_name: 'Second' },
      })
      expect([status, body.code]).toEqual([409, 'E4003'])
    }
    expect((await sentTo(email)).filter(({ kind }) => kind === 'signup_attempt')).toHaveLength(1)
  })

  // security: check-12
  it('lets exactly one of 50 simultaneous sign-ups of an address succeed', async () => {
    const email = randomEmail()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /beak/signup', { body: { email, display_name: 'Racer' } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    expect((await sentTo(email)).filter(({ kind }) => kind === 'signup_code')).toHaveLength(1)
    // Others would use up the limit on codes of the address.
    expect(await db().otpCode.count({ where: { address: email } })).toBe(1)
  })
})

const berlin = { 'Beak-Time-Zone': 'europe/berlin', 'Accept-Language': 'de-at,de;q=0.9,en;q=0.8' }
const tokyo = { 'Beak-Time-Zone': 'Asia/Tokyo', 'Accept-Language': 'ja' }

const browserOf = (email: string) =>
  db().duckling.findUniqueOrThrow({
    where: { email },
    select: { browserTimeZone: true, browserLanguage: true },
  })

async function signUp(email: string, headers: Record<string, string>): Promise<string> {
  const body = { email, display_name: 'Mallard' }
  return (await call('POST /beak/signup', { body, headers })).body.token
}

async function signIn(email: string, headers: Record<string, string>): Promise<string> {
  await call('POST /beak/signin/otp', { body: { email }, headers })
  const otp = await codeFor(email)
  return (await call('POST /beak/signin', { body: { email, otp }, headers })).body.token
}

it('records the time zone and the language of the browser of the first visit, and keeps them', async () => {
  const email = randomEmail()
  const token = await signUp(email, berlin)
  const first = { browserTimeZone: 'Europe/Berlin', browserLanguage: 'de-AT' }
  expect(await browserOf(email)).toEqual(first)
  await call('POST /beak/verify-email', { token, body: { otp: await codeFor(email) } })
  await signIn(email, tokyo)
  expect(await browserOf(email)).toEqual(first)
  const { body } = await call('GET /beak/account/export', { token })
  expect(body.account).toMatchObject({ browser_time_zone: 'Europe/Berlin', browser_language: 'de-AT' })
  expect((await call('GET /beak/profile/overview', { token })).body.time_zone).toBe('Europe/Berlin')
})

it('records them at the first sign-in of an account that has none', async () => {
  const { email } = await aDuckling()
  await signIn(email, berlin)
  expect(await browserOf(email)).toEqual({ browserTimeZone: 'Europe/Berlin', browserLanguage: 'de-AT' })
})

it.each<Record<string, string>>([
  { 'Beak-Time-Zone': 'Europe/Berlin; DROP', 'Accept-Language': '*' },
  { 'Beak-Time-Zone': '+02:00', 'Accept-Language': `x-${'a'.repeat(40)}` },
  { 'Beak-Time-Zone': 'a'.repeat(65), 'Accept-Language': 'de_AT<script>' },
  { 'Beak-Time-Zone': '', 'Accept-Language': `${'de,'.repeat(400)}` },
])('records nothing malformed: %j', async (headers) => {
  const email = randomEmail()
  await signUp(email, headers)
  expect(await browserOf(email)).toEqual({ browserTimeZone: null, browserLanguage: null })
})

it('removes those of another person who signed up with the address', async () => {
  const email = randomEmail()
  await signUp(email, tokyo)
  await signIn(email, berlin)
  expect(await browserOf(email)).toEqual({ browserTimeZone: 'Europe/Berlin', browserLanguage: 'de-AT' })
})

it('shows the times of notices in that zone, until the person chooses another one', async () => {
  const email = randomEmail()
  const token = await signUp(email, berlin)
  await call('POST /beak/verify-email', { token, body: { otp: await codeFor(email) } })
  await signIn(email, {})
  const notices = async () => (await sentTo(email)).filter(({ kind }) => kind === 'new_device')
  expect((await notices()).at(-1)?.text).toMatch(
    /When: \d+ \w+ 20\d\d, \d\d:\d\d\n[\s\S]*Times are in Europe\/Berlin\./,
  )
})
