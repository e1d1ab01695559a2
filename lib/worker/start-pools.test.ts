import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { withoutProvider } from '@/lib/fixtures/mail'
import { databaseUrl } from '@/lib/fixtures/source-files'
import { countTransactions } from '@/lib/fixtures/statements'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox, drainPool } from './start'

/** Removes rows of other tests before a test, and its own rows after it. */
const empty = async () => void (await db().outbox.deleteMany())
beforeEach(empty)
afterEach(empty)

/** Enqueues rows that are due before all others. */
async function flood(kind: string, count: number): Promise<void> {
  const longAgo = secondsAfter(readClock(), -minute)
  await db().run`
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT ${kind}, jsonb_build_object('duckling_id', 'DUCK-' || n, 'otp_id', 'OTP-' || n, 'notice', 'key_rotated'),
      ${longAgo}::timestamptz, ${longAgo}::timestamptz
    FROM generate_series(1, ${count}::int) n`
}

describe('a pool', () => {
  it('sends a code while 900 notices and 900 texts wait', async () => {
    const duckling = await aDuckling()
    await empty()
    await flood('notice', 900)
    await flood('text', 900)
    await call('POST /beak/signin/otp', { body: { email: duckling.email } })
    expect(await drainPool('codes')).toBe(1)
    const waiting = await db().outbox.groupBy({ by: ['kind'], _count: true })
    expect(waiting.map(({ kind, _count }) => [kind, _count]).sort()).toEqual([
      ['notice', 900],
      ['text', 900],
    ])
    await db().outbox.deleteMany()
    expect((await sentTo(duckling.email)).map(({ kind }) => kind)).toContain('signin_code')
  })

  it('handles codes by mail and codes by text message separately', async () => {
    await flood('code', 3)
    await flood('text_code', 2)
    expect(await drainPool('text codes')).toBe(2)
    expect(await db().outbox.count({ where: { kind: 'code' } })).toBe(3)
    expect(await drainPool('codes')).toBe(3)
  })

  it('sends 60 codes, each in its own mail and event, with few transactions', async () => {
    const { id, email } = await aDuckling()
    await drainOutbox()
    const before = (await sentTo(email)).length
    const now = readClock()
    const expiresAt = secondsAfter(now, 600)
    const ids = Array.from({ length: 60 }, (_, index) => `OTP-${id}-${index}`)
    const code = { ducklingId: id, purpose: 'signin' as const, address: email, createdAt: now, expiresAt }
    await db().otpCode.createMany({ data: ids.map((otpId) => ({ ...code, id: otpId })) })
    await transaction(async (tx) => {
      for (const otpId of ids) enqueue(tx, now, 'code', { otp_id: otpId, request_id: null })
    })
    const start = await countTransactions()
    expect(await drainPool('codes')).toBe(60)
    const used = (await countTransactions()) - start
    const mails = (await sentTo(email)).slice(before)
    const codes = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
    expect([mails.length, codes.every((found) => found !== undefined)]).toEqual([60, true])
    const events = await db().auditEvent.count({ where: { ducklingId: id, action: 'code.sent' } })
    expect(events).toBeGreaterThanOrEqual(60)
    const hashes = await db().otpCode.findMany({ where: { id: { in: ids } }, select: { codeHash: true } })
    expect(new Set(hashes.map(({ codeHash }) => String(codeHash))).size).toBe(60)
    if (databaseUrl === null) expect(used).toBeLessThan(30)
  })

  it('postpones a job without counting the attempt', async () => {
    const now = readClock()
    const { id } = await aDuckling()
    await drainOutbox()
    await db().notice.create({
      data: { ducklingId: id, kind: 'key_rotated', items: [{}], count: 1, mailedAt: now },
    })
    await transaction(async (tx) => enqueue(tx, now, 'notice', { duckling_id: id, notice: 'key_rotated' }))
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

  it('counts the attempt of a job that fails', async () => {
    const { email } = await aDuckling()
    await drainOutbox()
    await call('POST /beak/signin/otp', { body: { email } })
    await withoutProvider(() => drainOutbox())
    expect(await db().outbox.findMany()).toMatchObject([
      { kind: 'code', attempts: 1, claimedUntil: null, lastError: 'SMTP_URL is not set' },
    ])
  })
})
