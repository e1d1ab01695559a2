import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { aDuckling } from '@/lib/fixtures/ducklings'
import { withoutProvider } from '@/lib/fixtures/mail'
import { sentTo } from '@/lib/fixtures/outbox'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { minute, readClock, secondsAfter } from '@/lib/kernel/clock'
import { claimDue } from './claim'
import { drainLane, drainOutbox } from './run'

/** Rows of other tests must not be counted here, and the other way round. */
const empty = () =>
  db()
    .outbox.deleteMany()
    .then(() => undefined)
beforeEach(empty)
afterEach(empty)

/** Rows that wait since before anything else. */
async function flood(kind: string, count: number): Promise<void> {
  const longAgo = secondsAfter(readClock(), -minute)
  await db().$executeRaw`
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT ${kind}, jsonb_build_object('duckling_id', 'DUCK-' || n, 'otp_id', 'OTP-' || n, 'notice', 'key_rotated'),
      ${longAgo}::timestamptz, ${longAgo}::timestamptz
    FROM generate_series(1, ${count}::int) n`
}

describe('the lanes', () => {
  it('send a code while 900 notices and 900 texts wait', async () => {
    const duckling = await aDuckling()
    await empty()
    await flood('notice', 900)
    await flood('text', 900)
    await call('POST /beak/signin/otp', { body: { email: duckling.email } })
    expect(await drainLane('codes')).toBe(1)
    const waiting = await db().outbox.groupBy({ by: ['kind'], _count: true })
    expect(waiting.map(({ kind, _count }) => [kind, _count]).sort()).toEqual([
      ['notice', 900],
      ['text', 900],
    ])
    await db().outbox.deleteMany()
    expect((await sentTo(duckling.email)).map(({ kind }) => kind)).toContain('signin_code')
  })

  it('keep codes by mail and by text message apart', async () => {
    await flood('code', 3)
    await flood('text_code', 2)
    expect(await drainLane('text codes')).toBe(2)
    expect(await db().outbox.count({ where: { kind: 'code' } })).toBe(3)
    expect(await drainLane('codes')).toBe(3)
  })

  it('put off a job that says when it may run, without counting the try', async () => {
    const now = readClock()
    const { id } = await aDuckling()
    await drainOutbox()
    await db().notice.create({
      data: { ducklingId: id, kind: 'key_rotated', items: [{}], count: 1, mailedAt: now },
    })
    await transaction((tx) => enqueue(tx, now, 'notice', { duckling_id: id, notice: 'key_rotated' }))
    await drainOutbox()
    expect(await db().outbox.findMany()).toMatchObject([
      {
        attempts: 0,
        claimedUntil: null,
        failedAt: null,
        lastError: null,
        dueAt: secondsAfter(now, 10 * minute),
      },
    ])
  })

  it('count the try of a job that fails', async () => {
    const { email } = await aDuckling()
    await drainOutbox()
    await call('POST /beak/signin/otp', { body: { email } })
    await withoutProvider(() => drainOutbox())
    expect(await db().outbox.findMany()).toMatchObject([
      { kind: 'code', attempts: 1, claimedUntil: null, lastError: 'SMTP_URL is not set' },
    ])
  })
})

describe('claiming', () => {
  it('takes the first that are due, of the kinds asked for', async () => {
    const now = readClock()
    const row = (kind: string, seconds: number) => ({
      kind,
      payload: {},
      dueAt: secondsAfter(now, seconds),
      createdAt: now,
    })
    await db().outbox.createMany({
      data: [row('letter', -1), row('notice', -3), row('code', -9), row('letter', -2), row('notice', 1)],
    })
    const claimed = await claimDue(['notice', 'letter'], 2, now)
    expect(claimed.map(({ kind, attempts }) => [kind, attempts]).sort()).toEqual([
      ['letter', 1],
      ['notice', 1],
    ])
    const next = await claimDue(['notice', 'letter'], 2, now)
    expect(next.map(({ kind }) => kind)).toEqual(['letter'])
    expect(await claimDue(['notice', 'letter'], 2, now)).toEqual([])
  })

  it('gives each of 40 rows to one of 20 simultaneous workers', async () => {
    await flood('notice', 40)
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => claimDue(['notice', 'letter'], 4, readClock())),
    )
    const ids = claims.flat().map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
    expect(claims.every((rows) => rows.length <= 4)).toBe(true)
  })
})
