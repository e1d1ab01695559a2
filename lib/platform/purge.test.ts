import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/fixtures/agents'
import { aDuckling, randomEmail } from '@/lib/fixtures/ducklings'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import { purge } from './purge'

const now = readClock()
const ago = (days: number) => secondsAfter(now, -days * day)

/** Makes a row with each of the ages, in days, and tells which ages are left afterwards. */
async function surviving(
  ages: number[],
  make: (age: number) => Promise<unknown>,
  find: (age: number) => Promise<unknown>,
): Promise<number[]> {
  for (const age of ages) await make(age)
  await purge(now)
  const left = []
  for (const age of ages) if ((await find(age)) !== null) left.push(age)
  return left
}

describe('purge', () => {
  it('forgets bonding ceremonies that have expired', async () => {
    const owner = await aDuckling()
    const [expired, live] = [await anAgent(owner, { bonded: false }), await anAgent(owner, { bonded: false })]
    await db().handshake.update({
      where: { agentId: expired.agentId },
      data: { expiresAt: secondsAfter(now, -1) },
    })
    await purge(now)
    expect(await db().handshake.findUnique({ where: { agentId: expired.agentId } })).toBeNull()
    expect(await db().handshake.findUnique({ where: { agentId: live.agentId } })).not.toBeNull()
  })

  it('removes links in mails once they have expired', async () => {
    const { id: ducklingId } = await aDuckling()
    const link = (expiresAt: Date) => ({
      id: newId('link', now),
      kind: 'email_undo',
      ducklingId,
      address: randomEmail(),
      createdAt: ago(7),
      expiresAt,
    })
    const [expired, live] = [link(secondsAfter(now, -1)), link(secondsAfter(now, 1))]
    await db().mailLink.createMany({ data: [expired, live] })
    await purge(now)
    const left = await db().mailLink.findMany({ where: { ducklingId }, select: { id: true } })
    expect(left).toEqual([{ id: live.id }])
  })

  it('forgets codes after two days: the sends of a day are counted from them', async () => {
    const address = randomEmail()
    const id = (age: number) => `OTP-${address}-${age}`
    const left = await surviving(
      [0, 1, 1.99, 2.01, 10],
      (age) =>
        db().otpCode.create({ data: { id: id(age), purpose: 'signin', address, createdAt: ago(age) } }),
      (age) => db().otpCode.findUnique({ where: { id: id(age) } }),
    )
    expect(left).toEqual([0, 1, 1.99])
  })

  it('forgets wrong tries after 30 days, but never that an account’s codes are switched off', async () => {
    const subject = randomUUID()
    const guard = (age: number, failures: number) => ({
      subject: `${subject}-${age}-${failures}`,
      purpose: 'signin' as const,
      failures,
      updatedAt: ago(age),
    })
    await db().otpGuard.createMany({ data: [guard(29, 9), guard(31, 9), guard(31, 99), guard(400, 100)] })
    await purge(now)
    const left = await db().otpGuard.findMany({ where: { subject: { startsWith: subject } } })
    expect(left.map((one) => one.failures).sort()).toEqual([100, 9])
  })

  it('forgets sessions 30 days after they ended, and keeps live and recent ones', async () => {
    const { id: ducklingId, token, context } = await aDuckling()
    const left = await surviving(
      [0, 29, 31],
      (age) =>
        db().session.create({
          data: {
            id: `SES-${ducklingId}-${age}`,
            ducklingId,
            amr: [],
            authTime: ago(age + 1),
            createdAt: ago(age + 1),
            expiresAt: ago(age),
            revokedAt: age === 31 ? ago(31.5) : null,
          },
        }),
      (age) => db().session.findUnique({ where: { id: `SES-${ducklingId}-${age}` } }),
    )
    expect(left).toEqual([0, 29])
    expect(token).toBeTruthy()
    expect((await context()).caller.id).toBe(ducklingId)
  })

  it('forgets page views after 90 days, however many', async () => {
    const mark = randomUUID()
    await db().$executeRaw`
      INSERT INTO "PageView" ("page", "createdAt")
      SELECT ${mark}::text, ${ago(91)}::timestamptz FROM generate_series(1, 1300)`
    await db().pageView.create({ data: { page: mark, createdAt: ago(89) } })
    await Promise.all([purge(now), purge(now)])
    expect(await db().pageView.count({ where: { page: mark } })).toBe(1)
  })

  it('forgets promises it had to give up after 30 days, and none it still owes', async () => {
    const kind = `test_${randomUUID()}`
    const row = (age: number, failed: boolean) => ({
      kind,
      payload: { age, failed },
      dueAt: ago(age),
      createdAt: ago(age),
      failedAt: failed ? ago(age) : null,
    })
    await db().outbox.createMany({ data: [row(31, true), row(29, true), row(400, false)] })
    await purge(now)
    const left = await db().outbox.findMany({ where: { kind }, orderBy: { id: 'asc' } })
    expect(left.map(({ payload }) => payload)).toEqual([
      { age: 29, failed: true },
      { age: 400, failed: false },
    ])
    await db().outbox.deleteMany({ where: { kind } })
  })

  it('forgets addresses that never confirmed after 30 days, and keeps every decision', async () => {
    const mark = newId('ticket', now).toLowerCase()
    const row = (age: number, status: 'pending' | 'subscribed' | 'unsubscribed') => ({
      email: `${mark}-${age}-${status}@example.com`,
      status,
      createdAt: ago(age),
      mailedAt: ago(age),
    })
    await db().subscription.createMany({
      data: [row(31, 'pending'), row(29, 'pending'), row(31, 'subscribed'), row(31, 'unsubscribed')],
    })
    await purge(now)
    const left = await db().subscription.findMany({ where: { email: { startsWith: mark } } })
    expect(left.map(({ email }) => email.slice(mark.length + 1)).sort()).toEqual([
      '29-pending@example.com',
      '31-subscribed@example.com',
      '31-unsubscribed@example.com',
    ])
  })

  it('finds what to remove by an index in every table', async () => {
    // With so few rows a scan would be chosen; forbidden, the planner shows whether it has an index to go by.
    const conditions = {
      Handshake: '"expiresAt" < now()',
      OtpCode: '"createdAt" < now()',
      OtpGuard: '"updatedAt" < now() AND "failures" < 100',
      Session: '"expiresAt" < now()',
      PageView: '"createdAt" < now()',
      Outbox: '"failedAt" < now()',
      Subscription: `"status" = 'pending' AND "mailedAt" < now()`,
    }
    for (const [table, condition] of Object.entries(conditions)) {
      const [, , plan] = await db().$transaction([
        db().$executeRaw`SET LOCAL enable_seqscan = off`,
        db().$executeRaw`SET LOCAL enable_bitmapscan = off`,
        db().$queryRawUnsafe<Record<string, string>[]>(
          `EXPLAIN SELECT ctid FROM "${table}" WHERE ${condition} LIMIT 500 FOR UPDATE SKIP LOCKED`,
        ),
      ])
      expect(plan.map((line) => Object.values(line)[0]).join('\n')).toMatch(/Index Scan/)
    }
  })
})
