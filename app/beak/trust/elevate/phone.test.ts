/** Tests the limits of text messages, changes of a number, and numbers that move to another account (contract F, SMS). */
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { hashCode } from '@/lib/domain/codes/codes'
import { enqueueText } from '@/lib/domain/codes/texts'
import { type ADuckling, aDuckling as aDucklingAt, randomAddress } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { randomPhone } from '@/lib/fixtures/accounts'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import type { Tier } from '@/lib/kernel/request/tier'
import { day, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'

const before = config()
afterEach(() => replaceConfig(before))

const elevate = (duckling: ADuckling, body: unknown, from = randomAddress()) =>
  call('PUT /beak/trust/elevate', { token: duckling.token, body, from })

const rowOf = ({ id }: ADuckling) => db().duckling.findUniqueOrThrow({ where: { id } })

/** Creates a duckling and sets its tier directly, because these tests need many ducklings. */
async function aDuckling(tier: Tier = 'T1'): Promise<ADuckling> {
  const duckling = await aDucklingAt({ tier: 'T0' })
  await db().duckling.update({
    where: { id: duckling.id },
    data: { trustTier: tier, emailVerifiedAt: readClock(), listed: true },
  })
  return duckling
}

/** Returns the duckling's successful events of these kinds, oldest first. */
async function eventsOf({ id }: ADuckling, actions: string[]) {
  return db().auditEvent.findMany({
    where: { ducklingId: id, action: { in: actions }, outcome: 'success' },
    orderBy: { seq: 'asc' },
  })
}

/** Creates a duckling whose number was verified with a code. */
async function aVerified(phone: string, tier: Tier = 'T2'): Promise<ADuckling> {
  const duckling = await aDuckling()
  await storeCode(duckling, phone, '111111')
  await elevate(duckling, { otp: '111111' })
  await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: tier } })
  return duckling
}

/** Stores a code for the number without sending it, so that the limits of text messages do not count it. */
async function storeCode({ id }: ADuckling, phone: string, code: string): Promise<void> {
  const now = readClock()
  const otpId = newId('otp', now)
  await db().otpCode.create({
    data: {
      id: otpId,
      purpose: 'phone',
      address: phone,
      ducklingId: id,
      codeHash: hashCode(otpId, id, code),
      createdAt: secondsAfter(now, -30),
      expiresAt: secondsAfter(now, 10 * minute),
    },
  })
}

/** Moves the codes for a number into the past, so that the limit per 10 minutes does not count them. */
const ageCodes = (phone: string) =>
  db().otpCode.updateMany({
    where: { address: phone },
    data: { createdAt: secondsAfter(readClock(), -11 * minute) },
  })

async function statusesOf(calls: (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const statuses = []
  for (const each of calls) statuses.push((await each()).status)
  return statuses
}

describe('text messages', () => {
  it('go to at most five different numbers of an account in 24 hours', async () => {
    const duckling = await aDuckling()
    const phones = Array.from({ length: 6 }, randomPhone)
    const statuses = await statusesOf(phones.map((phone) => () => elevate(duckling, { phone })))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const refused = await elevate(duckling, { phone: randomPhone() })
    expect(refused.body).toMatchObject({
      code: 'E4004',
      detail: 'Too many text messages were requested today.',
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(day - 10 * minute)
    expect((await elevate(duckling, { phone: phones[4] })).status).toBe(200)
    await db().otpCode.updateMany({
      where: { address: phones[0] ?? '' },
      data: { createdAt: secondsAfter(readClock(), -day) },
    })
    expect((await elevate(duckling, { phone: randomPhone() })).status).toBe(200)
  })

  it('go to at most five of 50 numbers that are requested at the same time', async () => {
    const duckling = await aDuckling()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => elevate(duckling, { phone: randomPhone() })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
  })

  it('go to a number at most ten times in a day, from all accounts together', async () => {
    const phone = randomPhone()
    const statuses = []
    for (let turn = 0; turn < 11; turn++) {
      statuses.push((await elevate(await aDuckling(), { phone })).status)
      await ageCodes(phone)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  it.each([
    ['198.51.100', (host: number) => `198.51.100.${host}`, '198.51.101.1'],
    ['2001:db8:7', (host: number) => `2001:db8:7:${host}::1`, '2001:db8:8::1'],
  ])(
    'can be requested from the address block %s at most 50 times in a day',
    async (_, addressIn, elsewhere) => {
      const ducklings = await Promise.all(Array.from({ length: 11 }, () => aDuckling()))
      const statuses = await Promise.all(
        Array.from({ length: 51 }, (_, turn) => {
          const duckling = ducklings[Math.floor(turn / 5)]
          if (!duckling) throw new Error('no duckling')
          return elevate(duckling, { phone: randomPhone() }, addressIn(turn)).then(({ status }) => status)
        }),
      )
      expect(statuses.filter((status) => status === 200)).toHaveLength(50)
      const late = await aDuckling()
      const refused = await elevate(late, { phone: randomPhone() }, addressIn(99))
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([
        429,
        expect.stringMatching(/^\d+$/),
      ])
      expect((await elevate(late, { phone: randomPhone() }, elsewhere)).status).toBe(200)
    },
  )

  // security: stranger-39
  it('are limited to SMS_DAILY_MAX per day for the whole service', async () => {
    const sent = await db().dailyCount.aggregate({ where: { name: 'sms_service' }, _max: { count: true } })
    replaceConfig({ smsDailyMax: (sent._max.count ?? 0) + 1 })
    const duckling = await aDuckling()
    const first = await elevate(duckling, { phone: randomPhone() })
    const second = await elevate(duckling, { phone: randomPhone() })
    expect([first.status, second.status]).toEqual([200, 429])
  })

  it('go only to the countries of SMS_COUNTRIES', async () => {
    replaceConfig({ smsCountries: new Set(['CH']) })
    const duckling = await aDuckling()
    expect((await elevate(duckling, { phone: randomPhone() })).status).toBe(200)
    const refused = await elevate(duckling, { phone: '+4915112345678' })
    expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([400, 'E4000', 'phone'])
  })

  it('without a code are counted too, and are not sent beyond the limit', async () => {
    const phone = randomPhone()
    const duckling = await aVerified(phone)
    const enqueueOne = async () => {
      const context = await duckling.context()
      await transaction((tx) =>
        enqueueText(tx, { ...context, ip: randomAddress() }, duckling.id, 'recovery_started', context.now),
      )
    }
    for (let turn = 0; turn < 12; turn++) await enqueueOne()
    const texts = await sentTo(phone)
    expect(texts).toHaveLength(10)
    expect(texts[0]).toMatchObject({ kind: 'recovery_started_text', subject: null })
    expect(texts[0]?.text).toMatch(/will be removed on \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
    expect((await elevate(await aDuckling(), { phone })).status).toBe(429)
  })

  it('are not enqueued for an account without a verified number', async () => {
    const duckling = await aDuckling('T2')
    const context = await duckling.context()
    await transaction((tx) => enqueueText(tx, context, duckling.id, 'recovery_started', context.now))
    const payload = { path: ['duckling_id'], equals: duckling.id }
    expect(await db().outbox.count({ where: { kind: 'text', payload } })).toBe(0)
  })
})

describe('a change of the number', () => {
  it.each(['T2', 'T3'] as const)('keeps the tier %s and notifies the owner', async (tier) => {
    const [old, phone] = [randomPhone(), randomPhone()]
    const duckling = await aVerified(old, tier)
    expect((await elevate(duckling, { phone })).body.status).toBe('challenge_sent')
    const changed = await elevate(duckling, { otp: await codeFor(phone) })
    expect([changed.status, changed.body]).toEqual([200, { status: 'elevated', trust_tier: tier }])
    expect(await rowOf(duckling)).toMatchObject({ phone, trustTier: tier })
    expect(await eventsOf(duckling, ['duckling.phone_changed', 'trust.lowered'])).toMatchObject([
      { action: 'duckling.phone_changed' },
    ])
    expect((await sentTo(duckling.email)).map(({ kind }) => kind)).toContain('phone_changed')
  })

  it('needs a sign-in in the last ten minutes for both steps', async () => {
    const duckling = await aDuckling()
    const phone = randomPhone()
    await storeCode(duckling, phone, '111111')
    const authTime = secondsAfter(readClock(), -11 * minute)
    await db().session.updateMany({ where: { ducklingId: duckling.id }, data: { authTime } })
    for (const body of [{ phone }, { otp: '111111' }]) {
      const refused = await elevate(duckling, body)
      expect([refused.status, refused.body]).toMatchObject([
        403,
        { code: 'E4009', required: 'fresh_sign_in' },
      ])
    }
    expect(await sentTo(phone)).toEqual([])
    expect(await db().otpGuard.count({ where: { subject: duckling.id, purpose: 'phone' } })).toBe(0)
  })

  it('needs a passkey proof for both steps when the account has a passkey', async () => {
    const duckling = await aVerified(randomPhone())
    await aPasskey(duckling)
    for (const body of [{ phone: randomPhone() }, { otp: '111111' }]) {
      const refused = await elevate(duckling, body)
      expect([refused.status, refused.body]).toMatchObject([403, { code: 'E4009', required: 'passkey' }])
    }
    await db().session.updateMany({ where: { ducklingId: duckling.id }, data: { passkeyAt: readClock() } })
    expect((await elevate(duckling, { phone: randomPhone() })).status).toBe(200)
  })
})

describe('a number that another account verifies', () => {
  it.each(['T2', 'T3'] as const)(
    'is removed from the older account, which falls from %s to T1',
    async (tier) => {
      const phone = randomPhone()
      const older = await aVerified(phone, tier)
      const { id: endpointId } = await aWebhook('http://localhost:9/none', { owner: older })
      const newer = await aVerified(phone)
      expect(await rowOf(newer)).toMatchObject({ phone, trustTier: 'T2' })
      expect(await rowOf(older)).toMatchObject({
        phone: null,
        phoneVerifiedAt: null,
        trustTier: 'T1',
        listed: true,
      })
      const { body: profile } = await call('GET /beak/profile', { token: older.token })
      expect(profile).toMatchObject({ phone_verified: false, trust_tier: 'T1' })
      expect(await eventsOf(older, ['trust.lowered'])).toMatchObject([
        { actorType: 'system', ip: null, metadata: { from: tier, to: 'T1', cause: 'phone_moved' } },
      ])
      const messages = await db().webhookMessage.findMany({
        where: { ducklingId: older.id, type: 'trust.lowered' },
      })
      await db().webhookEndpoint.deleteMany({ where: { id: endpointId } })
      expect(messages.map(({ data }) => data)).toEqual([
        { duckling_id: older.id, previous_tier: tier, trust_tier: 'T1' },
      ])
      const notices = (await sentTo(older.email)).filter(({ kind }) => kind === 'tier_lowered')
      expect(notices).toHaveLength(1)
      expect(notices[0]?.text).not.toContain(newer.id)
    },
  )

  it('belongs to exactly one of 50 accounts that verify it at the same time', {
    timeout: 120_000,
  }, async () => {
    const phone = randomPhone()
    const ducklings = await Promise.all(Array.from({ length: 50 }, () => aDuckling()))
    for (const duckling of ducklings) await storeCode(duckling, phone, '222222')
    const answers = await Promise.all(ducklings.map((duckling) => elevate(duckling, { otp: '222222' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const rows = await db().duckling.findMany({ where: { id: { in: ducklings.map(({ id }) => id) } } })
    expect(rows.filter((row) => row.phone === phone)).toHaveLength(1)
    expect(rows.filter(({ trustTier }) => trustTier === 'T2')).toEqual(
      rows.filter((row) => row.phone === phone),
    )
    expect(rows.filter(({ trustTier }) => trustTier === 'T1')).toHaveLength(49)
  })

  it('can be exchanged between two accounts at the same time without a deadlock', async () => {
    const phones = [randomPhone(), randomPhone()] as const
    const [one, other] = [await aVerified(phones[0]), await aVerified(phones[1])]
    await storeCode(one, phones[1], '333333')
    await storeCode(other, phones[0], '333333')
    const answers = await Promise.all([one, other].map((duckling) => elevate(duckling, { otp: '333333' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([(await rowOf(one)).phone, (await rowOf(other)).phone]).toEqual([phones[1], phones[0]])
  })
})
