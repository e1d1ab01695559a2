import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { grantLabel } from '@/lib/domain/pecks/grant/grant'
import { anAgent } from '@/lib/fixtures/agents'
import { aDuckling, randomEmail } from '@/lib/fixtures/ducklings'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { firstIdAt, newId } from '@/lib/kernel/ids'
import { randomSecret, seal, sha256 } from '@/lib/kernel/secrets'
import { dayOf } from './history'
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

  it('removes codes after a day and an hour: the sends of 24 hours are counted from them', async () => {
    const address = randomEmail()
    const id = (age: number) => `OTP-${address}-${age}`
    const left = await surviving(
      [0, 1, 1.04, 1.05, 10],
      (age) =>
        db().otpCode.create({ data: { id: id(age), purpose: 'signin', address, createdAt: ago(age) } }),
      (age) => db().otpCode.findUnique({ where: { id: id(age) } }),
    )
    expect(left).toEqual([0, 1, 1.04])
  })

  it('removes the hash of an expired code at once, and keeps that of a live one', async () => {
    const address = randomEmail()
    const id = (expiresIn: number) => `OTP-${address}-${expiresIn}`
    const left = await surviving(
      [-3600, -1, 0, 1, 600],
      (expiresIn) =>
        db().otpCode.create({
          data: {
            id: id(expiresIn),
            purpose: 'signin',
            address,
            codeHash: new Uint8Array(32),
            createdAt: secondsAfter(now, expiresIn - 601),
            expiresAt: secondsAfter(now, expiresIn),
          },
        }),
      async (expiresIn) => (await db().otpCode.findUniqueOrThrow({ where: { id: id(expiresIn) } })).codeHash,
    )
    expect(left).toEqual([0, 1, 600])
  })

  it('removes support tickets after 365 days', async () => {
    const email = randomEmail()
    const ids = new Map<number, string>()
    const left = await surviving(
      [0, 364, 366, 4000],
      (age) => {
        // As `newId` makes them, at a time that is past.
        const id = `${firstIdAt('ticket', ago(age))}${randomSecret(10)}`
        ids.set(age, id)
        return db().supportTicket.create({
          data: { id, email, message: 'Help', receipt: false, createdAt: ago(age) },
        })
      },
      (age) => db().supportTicket.findUnique({ where: { id: ids.get(age) ?? '' } }),
    )
    expect(left).toEqual([0, 364])
  })

  it('removes the counts of a day two days later', async () => {
    const key = randomUUID()
    const row = (age: number) => ({ name: 'mail', key, day: new Date(dayOf(ago(age))) })
    const left = await surviving(
      [0, 1, 2, 3, 30],
      (age) => db().dailyCount.create({ data: { ...row(age), count: 1 } }),
      (age) => db().dailyCount.findUnique({ where: { name_key_day: row(age) } }),
    )
    expect(left).toEqual([0, 1, 2])
  })

  it('removes expired devices, mailed links and notices that were sent', async () => {
    const { id: ducklingId } = await aDuckling()
    const made = { ducklingId, createdAt: ago(30) }
    const device = (age: number) => `DEV-${ducklingId}-${age}`
    const link = (age: number) => `LNK-${ducklingId}-${age}`
    for (const age of [-1, 0.5, 2]) {
      await db().deviceToken.create({
        data: {
          ...made,
          id: device(age),
          secretHash: new Uint8Array(32),
          sessionId: 'SES-NONE',
          expiresAt: ago(age),
        },
      })
      await db().mailLink.create({
        data: { ...made, id: link(age), kind: 'email_undo', address: randomEmail(), expiresAt: ago(age) },
      })
    }
    const notice = (kind: string, count: number, age: number) => ({
      ducklingId,
      kind,
      items: [],
      count,
      mailedAt: ago(age),
    })
    await db().notice.createMany({ data: [notice('a', 0, 1), notice('b', 0, 0), notice('c', 2, 1)] })
    await purge(now)
    const where = { ducklingId }
    const devices = await db().deviceToken.findMany({ where })
    const links = await db().mailLink.findMany({ where, orderBy: { id: 'asc' } })
    const notices = await db().notice.findMany({ where, orderBy: { kind: 'asc' } })
    expect(devices.map(({ id }) => id)).toEqual([device(-1)])
    expect(links.map(({ id }) => id)).toEqual([link(-1)])
    expect(notices.map(({ kind }) => kind)).toEqual(['b', 'c'])
  })

  it('removes keys and webhooks that accounts left which were closed 30 days ago', async () => {
    const left: number[] = []
    for (const age of [null, 29, 31]) {
      const owner = await aDuckling()
      const { keyId } = await anAgent(owner)
      const webhook = await aWebhook('http://127.0.0.1:9/', { owner })
      if (age !== null)
        await db().duckling.update({ where: { id: owner.id }, data: { email: null, deletedAt: ago(age) } })
      await purge(now)
      const found = [
        await db().beakKey.findUnique({ where: { id: keyId } }),
        await db().webhookEndpoint.findUnique({ where: { id: webhook.id } }),
      ]
      left.push(found.filter((row) => row !== null).length)
    }
    expect(left).toEqual([2, 2, 0])
  })

  it('removes wrong tries after 30 days, however many', async () => {
    const subject = randomUUID()
    const guard = (age: number, failures: number) => ({
      subject: `${subject}-${age}-${failures}`,
      purpose: 'signin' as const,
      failures,
      updatedAt: ago(age),
    })
    await db().otpGuard.createMany({
      data: [guard(29, 9), guard(29, 100), guard(31, 9), guard(31, 99), guard(400, 100)],
    })
    await purge(now)
    const left = await db().otpGuard.findMany({ where: { subject: { startsWith: subject } } })
    expect(left.map((one) => one.failures).sort()).toEqual([100, 9])
  })

  it('removes known devices once their token has expired', async () => {
    const { id: ducklingId } = await aDuckling()
    const left = await surviving(
      [-1, 0.01],
      (age) =>
        db().deviceToken.create({
          data: {
            id: `DEV-${ducklingId}-${age}`,
            ducklingId,
            secretHash: new Uint8Array(32),
            sessionId: 'SES-none',
            createdAt: ago(100),
            expiresAt: ago(age),
          },
        }),
      (age) => db().deviceToken.findUnique({ where: { id: `DEV-${ducklingId}-${age}` } }),
    )
    expect(left).toEqual([-1])
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

  it('removes grant tokens 30 days after they expired', async () => {
    const peckId = newId('peck', now)
    const hash = (age: number) => new Uint8Array(sha256(`${peckId}-${age}`))
    const left = await surviving(
      [-1, 29, 31],
      (age) =>
        db().grantToken.create({
          data: {
            hash: hash(age),
            peckId,
            kid: 'none',
            sealed: new Uint8Array(seal(Buffer.from('none'), grantLabel(peckId))),
            createdAt: ago(age + 1),
            expiresAt: ago(age),
          },
        }),
      (age) => db().grantToken.findUnique({ where: { hash: hash(age) } }),
    )
    expect(left).toEqual([-1, 29])
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
      DeviceToken: '"expiresAt" < now()',
      MailLink: '"expiresAt" < now()',
      Notice: '"mailedAt" < now() AND "count" = 0',
      DailyCount: '"day" < now()::date',
      SupportTicket: `"id" < 'TKT-01' AND "createdAt" < now()`,
      BeakKey: `"agentId" IN (SELECT a."id" FROM "Agent" a JOIN "Duckling" d ON d."id" = a."ducklingId" WHERE d."email" IS NULL)`,
      WebhookEndpoint: '"ducklingId" IN (SELECT d."id" FROM "Duckling" d WHERE d."email" IS NULL)',
      OtpCode: '"createdAt" < now()',
      OtpGuard: '"updatedAt" < now()',
      Session: '"expiresAt" < now()',
      GrantToken: '"expiresAt" < now()',
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
      const text = plan.map((line) => Object.values(line)[0]).join('\n')
      expect(text).toMatch(/Index (Only )?Scan/)
      expect(text).not.toMatch(/Seq Scan/)
    }
  })
})
