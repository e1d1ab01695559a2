/** Tests that one code, number or address is the same however it is typed (contract A, Spellings): for what it opens, and for what is counted. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { requestSignInCode } from '@/lib/domain/identity/sign-in'
import { ElevationStep } from '@/lib/domain/trust/elevate'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, aNetwork, anonymously } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { randomPhone } from '@/lib/fixtures/accounts'
import { inScript, zeros } from '@/lib/fixtures/source-files'
import { otpCode } from '@/lib/kernel/request/fields'
import { drainOutbox } from '@/lib/worker/start'

const arabic = 0x660
const fullWidth = 0xff10

describe('a code', () => {
  it('is read in the digits of each script', () => {
    for (const zero of zeros) expect(otpCode.parse(inScript(zero, ' 482-913 '))).toBe('482913')
  })

  it('signs in when it is typed with Arabic digits and a blank', async () => {
    const { email } = await aDuckling()
    const from = aNetwork()
    await requestSignInCode({ ...anonymously(), ip: from() }, email)
    const code = await codeFor(email)
    const otp = inScript(arabic, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect((await call('POST /beak/signin', { body: { email, otp }, from: from() })).status).toBe(200)
    // It is spent in every spelling.
    for (const again of [code, inScript(fullWidth, code)])
      expect((await call('POST /beak/signin', { body: { email, otp: again }, from: from() })).status).toBe(
        401,
      )
  })

  it('counts wrong tries together in all spellings', async () => {
    const { email } = await aDuckling()
    const from = aNetwork()
    await requestSignInCode({ ...anonymously(), ip: from() }, email)
    const right = await codeFor(email)
    const wrong = right === '000000' ? '111111' : '000000'
    const spellings = [
      wrong,
      inScript(arabic, wrong),
      inScript(fullWidth, wrong),
      ` ${wrong}`,
      wrong.replace(/^.../, '$&-'),
    ]
    const attempts = []
    for (const otp of spellings)
      attempts.push(
        (await call('POST /beak/signin', { body: { email: email.toUpperCase(), otp }, from: from() })).status,
      )
    expect(attempts).toEqual([401, 401, 401, 401, 401])
    const next = await call('POST /beak/signin', {
      body: { email, otp: inScript(zeros.at(-1) ?? 0, right) },
      from: from(),
    })
    expect([next.status, next.body.reason]).toEqual([429, 'too_many_wrong_codes'])
  })

  it.each(['12345', '1234567', '①②③④⑤⑥', 'l23456', '１２３４５O', '', ' '.repeat(100)])(
    'says what a code is when it gets %j',
    async (otp) => {
      const { token } = await aDuckling({ tier: 'T0' })
      const { status, body } = await call('POST /beak/verify-email', { token, body: { otp } })
      expect([status, body.errors]).toEqual([400, [{ field: 'otp', message: 'must be six digits' }]])
    },
  )
})

describe('an email address', () => {
  const signUp = (email: string) =>
    call('POST /beak/signup', { body: { email, full_name: 'Ann Bell' }, from: aNetwork()() })
  const local = () => `ann-${randomBytes(6).toString('hex')}`

  it('is one account in all spellings, stored as in DNS', async () => {
    const name = local()
    const stored = `${name}@xn--bcher-kva.example`
    expect((await signUp(`${name}@bücher.example`)).status).toBe(200)
    const spellings = [
      stored,
      `${name}@BÜCHER.example`,
      `${name}@bu\u0308cher.example`,
      `${name}＠bücher。example `,
    ]
    for (const email of [...spellings, stored.toUpperCase()]) {
      const { status, body } = await signUp(email)
      expect([email, status, body.code]).toEqual([email, 409, 'E4003'])
    }
    const found = await db().duckling.findMany({ where: { email: { startsWith: name } } })
    expect(found.map(({ email }) => email)).toEqual([stored])
  })

  it('is another account at a domain that only looks the same', async () => {
    const name = local()
    for (const domain of [
      'apple.example',
      '\u0430pple.example',
      'àpple.example',
      'straße.example',
      'strasse.example',
    ])
      expect([domain, (await signUp(`${name}@${domain}`)).status]).toEqual([domain, 200])
    // What could be another mailbox of that name signs up as nobody.
    for (const other of ['ﬁ', 'К', '\u212a', 'é', '\u200b'])
      expect([other, (await signUp(`${name}${other}@apple.example`)).status]).toEqual([other, 400])
  })

  it('signs in, and shares one limit of codes, in all spellings', async () => {
    const name = local()
    const stored = `${name}@xn--bcher-kva.example`
    const from = aNetwork()
    await signUp(stored)
    const sendCode = async (email: string) =>
      expect((await call('POST /beak/signin/otp', { body: { email }, from: from() })).status).toBe(200)
    // The mail of the sign-up has a code, too.
    await codeFor(stored)
    const before = new Date()
    await sendCode(`${name}@bücher.example`)
    const body = { email: `${name}@Bücher.example`, otp: await codeFor(stored, before) }
    expect((await call('POST /beak/signin', { body, from: from() })).status).toBe(200)
    for (const email of [stored.toUpperCase(), `${name}＠bücher.example`, stored]) await sendCode(email)
    // The fourth gets no code, and the same answer.
    await drainOutbox()
    const sent = await db().otpCode.findMany({ where: { purpose: 'signin', address: { startsWith: name } } })
    expect(sent.map(({ address }) => address)).toEqual([stored, stored, stored])
  })

  it('finds the same person in all spellings', async () => {
    const name = local()
    const { body } = await signUp(`${name}@xn--bcher-kva.example`)
    await db().duckling.update({
      where: { id: body.duckling_id },
      data: { emailVerifiedAt: new Date(), findableByEmail: true },
    })
    const searcher = await aDuckling()
    const find = async (q: string) =>
      (await call('POST /beak/spaceducks/find', { token: searcher.token, body: { q } })).body
    for (const q of [`${name}@bücher.example`, ` ${name}＠BÜCHER.example`])
      expect(await find(q)).toMatchObject({
        found_by: 'email',
        items: [{ duckling_id: `DUCK-…${body.duckling_id.slice(-4)}` }],
      })
    expect((await find(`${name}@bucher.example`)).items).toEqual([])
  })
})

describe('a phone number', () => {
  const elevate = ({ token }: ADuckling, phone: string) =>
    call('PUT /beak/trust/elevate', { token, body: { phone }, from: aNetwork()() })

  it('is read in the digits of each script', () => {
    for (const zero of zeros)
      expect(ElevationStep.parse({ phone: inScript(zero, '0041 (0)79 123 45 67') }).phone).toBe(
        '+41791234567',
      )
  })

  it('is one number in all spellings, for texts and for limits', async () => {
    const duckling = await aDuckling()
    const number = randomPhone()
    const [country, rest] = [number.slice(1, 3), number.slice(3)]
    const spellings = [
      `00${country} ${rest}`,
      `+${country} (0)${rest}`,
      inScript(arabic, number),
      `＋${inScript(fullWidth, number.slice(1))}`,
    ]
    const answers = []
    for (const phone of spellings) answers.push((await elevate(duckling, phone)).status)
    // A pair of account and number gets three codes in ten minutes.
    expect(answers).toEqual([200, 200, 200, 429])
    const sent = await db().otpCode.groupBy({
      by: ['address'],
      where: { ducklingId: duckling.id, purpose: 'phone' },
    })
    expect(sent).toEqual([{ address: number }])
  })

  it.each([
    '0151 23456789',
    '+0049 151 23456789',
    '++49 151 23456789',
    '+49 151 23456789 ext. 5',
    '+1 800 FLOWERS',
    '11',
  ])('says what a number is when it gets %j', async (phone) => {
    const { status, body } = await elevate(await aDuckling(), phone)
    expect([status, body.errors[0].field, body.errors[0].message]).toEqual([
      400,
      'phone',
      'must be a phone number with its country code, such as +1 415 555 0100',
    ])
  })
})

it('finds a certificate by its number in all spellings', async () => {
  const { token } = await aDuckling()
  const { body } = await call('POST /beak/cert/issue', { token })
  const id: string = body.cert_id
  for (const typed of [
    id.toLowerCase(),
    id.replace(/0/g, 'O').replace(/1/g, 'l'),
    ` ${id.replace('-', ' ')}`,
    inScript(arabic, id),
  ]) {
    const answer = await call(`GET /beak/cert/verify?${new URLSearchParams({ cert_id: typed })}`)
    expect([typed, answer.status, answer.body.cert_id]).toEqual([typed, 200, id])
  }
})

it('finds an agent by its name with and without accents, capitals and width', async () => {
  const owner = await aDuckling()
  await anAgent(owner, { name: 'Müller Straßenbot' })
  const find = async (q: string) =>
    (await call(`GET /beak/agent/list?${new URLSearchParams({ q })}`, { token: owner.token })).body.items
      .length
  for (const q of ['muller', 'MÜLLER', 'mu\u0308ller', 'Ｍüller', 'straß'])
    expect([q, await find(q)]).toEqual([q, 1])
  for (const q of ['moller', 'm_ller', '%']) expect([q, await find(q)]).toEqual([q, 0])
})

describe('a beak key', () => {
  it('opens the same with blanks and quotation marks around it', async () => {
    const { beakKey: key } = await anAgent(await aDuckling())
    const given: Record<string, string>[] = [
      { 'X-Beak-Key': `"${key}"` },
      { 'X-Beak-Key': ` '${key}' ` },
      { 'X-Beak-Key': `" ${key}"` },
      { Authorization: `bearer  ${key}` },
      { Authorization: `BEARER\t"${key}" ` },
    ]
    for (const headers of given) {
      const { status, body } = await call('GET /beak/profile', { headers })
      expect([headers, status, body.reason]).toEqual([headers, 200, undefined])
    }
  })

  it('opens nothing when it is changed inside', async () => {
    const { beakKey: key } = await anAgent(await aDuckling())
    const wrong = [
      `"${key}`,
      `${key}"`,
      `"${key}'`,
      key.toLowerCase(),
      `${key.slice(0, 20)} ${key.slice(20)}`,
      `""${key}""`,
    ]
    for (const sent of wrong) {
      const { status, body } = await call('GET /beak/profile', { headers: { 'X-Beak-Key': sent } })
      expect([sent, status, body.code]).toEqual([sent, 401, 'E4001'])
    }
  })
})
