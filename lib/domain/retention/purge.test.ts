import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { grantLabel } from '@/lib/domain/pecks/grant/tokens'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { firstIdAt, newId } from '@/lib/kernel/secrets/ids'
import { randomSecret, seal, sha256 } from '@/lib/kernel/secrets/secrets'
import { dayOf } from '@/lib/kernel/text/utc-day'
import { purge } from './purge'

const now = readClock()
const ago = (days: number) => secondsAfter(now, -days * day)

/** Creates a row for each age in days, runs `purge`, and returns the ages of the remaining rows. */
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

/** A row about an answer of a rule, without the request and the state. */
const aUse = (ruleId: string) => ({
  ruleId,
  ducklingId: 'DUCK-0',
  agentId: 'AGT-0',
  statementId: '',
  cost: 0n,
  before: {},
  after: {},
  limits: {},
  createdAt: now,
  settleAt: now,
})

describe('purge', () => {
  it('deletes expired bonding ceremonies', async () => {
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

  it('deletes what a watching rule would have answered after 90 days, and keeps what rules answered', async () => {
    const use = (age: number, state: 'watched' | 'spent') => ({
      ...aUse(newId('rule', now)),
      peckId: firstIdAt('peck', ago(age)),
      state,
    })
    const rows = [use(91, 'watched'), use(89, 'watched'), use(91, 'spent')]
    await db().ruleUse.createMany({ data: rows })
    await purge(now)
    const ids = rows.map(({ ruleId }) => ruleId)
    const left = await db().ruleUse.findMany({ where: { ruleId: { in: ids } } })
    expect(left.map(({ ruleId }) => ruleId).sort()).toEqual(ids.slice(1).sort())
  })

  it('deletes rules a year after their end with what was signed, unless they answered something', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const { agentId } = await anAgent(owner)
    const make = async (age: number | null) => {
      const { rule_id: id } = await aRule(owner, authenticator, shopRule(agentId))
      if (age !== null)
        await db().rule.update({ where: { id }, data: { status: 'ended', endedAt: ago(age) } })
      return id
    }
    const [gone, young, living, used] = [await make(366), await make(364), await make(null), await make(366)]
    await db().ruleUse.create({ data: { ...aUse(used), peckId: newId('peck', now), state: 'spent' } })
    await purge(now)
    const idsOf = (rows: { ruleId: string }[]) => rows.map(({ ruleId }) => ruleId).sort()
    const ids = [gone, young, living, used]
    const rules = await db().rule.findMany({ where: { id: { in: ids } } })
    const statements = await db().ruleStatement.findMany({ where: { ruleId: { in: ids } } })
    const left = [young, living, used].sort()
    expect([idsOf(rules.map(({ id }) => ({ ruleId: id }))), idsOf(statements)]).toEqual([left, left])
  })

  it('deletes expired mail links', async () => {
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

  it('deletes what an asker asked for after 90 days when the target never approved it', async () => {
    const { id: targetDucklingId } = await aDuckling()
    const rows = [
      { action: 'read:old', askedAt: ago(91) },
      { action: 'read:recent', askedAt: ago(89) },
      { action: 'read:approved', askedAt: ago(91), approved: 1 },
    ]
    const data = rows.map((row) => ({ targetDucklingId, askerId: targetDucklingId, ...row }))
    await db().askerHistory.createMany({ data })
    await purge(now)
    const left = await db().askerHistory.findMany({ where: { targetDucklingId }, orderBy: { action: 'asc' } })
    expect(left.map(({ action }) => action)).toEqual(['read:approved', 'read:recent'])
  })

  it('deletes codes after a day and an hour, because the limit of 24 hours counts them', async () => {
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

  it('deletes the hash of an expired code immediately, and keeps the hash of a valid code', async () => {
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

  it('deletes support tickets after 365 days', async () => {
    const email = randomEmail()
    const ids = new Map<number, string>()
    const left = await surviving(
      [0, 364, 366, 4000],
      (age) => {
        // The form of `newId`, with a time in the past.
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

  it('deletes daily counts after two days', async () => {
    const key = randomUUID()
    const row = (age: number) => ({ name: 'mail', key, day: new Date(dayOf(ago(age))) })
    const left = await surviving(
      [0, 1, 2, 3, 30],
      (age) => db().dailyCount.create({ data: { ...row(age), count: 1 } }),
      (age) => db().dailyCount.findUnique({ where: { name_key_day: row(age) } }),
    )
    expect(left).toEqual([0, 1, 2])
  })

  it('deletes expired devices, expired mail links and sent notices', async () => {
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

  it('deletes keys and webhooks of accounts that were closed 30 days ago', async () => {
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

  it('deletes counts of wrong codes after 30 days, whatever the number', async () => {
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

  it('deletes known devices whose token has expired', async () => {
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

  // security: host-3
  it('deletes sessions 30 days after they expired, not earlier', async () => {
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

  it('deletes grant tokens 30 days after they expired', async () => {
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

  it('deletes all page views after 90 days, also more than one batch', async () => {
    const mark = randomUUID()
    await db().run`
      INSERT INTO "PageView" ("page", "createdAt")
      SELECT ${mark}::text, ${ago(91)}::timestamptz FROM generate_series(1, 1300)`
    await db().pageView.create({ data: { page: mark, createdAt: ago(89) } })
    await Promise.all([purge(now), purge(now)])
    expect(await db().pageView.count({ where: { page: mark } })).toBe(1)
  })

  it('deletes the history of the status after a year, but no incident that lasts', async () => {
    const ended = (days: number | null) => ({
      id: newId('incident', now),
      component: 'outbox',
      condition: 'degraded',
      byOperator: true,
      startedAt: ago(500),
      endedAt: days === null ? null : ago(days),
    })
    const incidents = [ended(366), ended(364), ended(null)]
    const [, young, lasting] = incidents.map(({ id }) => id)
    const own = { where: { id: { in: incidents.map(({ id }) => id) } } }
    const days = [366, 364].map((age) => ({ day: ago(age), samples: 1440, sampledAt: ago(age) }))
    const ownDays = { where: { day: { in: days.map(({ day }) => day) } } }
    onTestFinished(async () => {
      await db().incident.deleteMany(own)
      await db().statusDay.deleteMany(ownDays)
    })
    await db().incident.createMany({ data: incidents })
    await db().statusDay.createMany({ data: days })
    await purge(now)
    const left = await db().incident.findMany({ ...own, orderBy: { id: 'asc' } })
    expect(left.map(({ id }) => id)).toEqual([young, lasting])
    expect(await db().statusDay.findMany({ ...ownDays, select: { sampledAt: true } })).toEqual([
      { sampledAt: ago(364) },
    ])
  })

  it('deletes outbox rows 30 days after they failed, never pending ones', async () => {
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

  it('deletes subscriptions that were not confirmed after 30 days, not the others', async () => {
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

  it('uses an index in every table', async () => {
    // With few rows the planner prefers a scan. With scans disabled, the plan shows whether an index exists.
    const conditions = {
      Handshake: '"expiresAt" < now()',
      DeviceToken: '"expiresAt" < now()',
      MailLink: '"expiresAt" < now()',
      OAuthRecord: '"expiresAt" < now()',
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
      StatusDay: '"day" < now()::date',
      Incident: '"endedAt" < now()',
      Subscription: `"status" = 'pending' AND "mailedAt" < now()`,
    }
    for (const [table, condition] of Object.entries(conditions)) {
      const plan = await transaction(async (tx) => {
        await tx.run`SET LOCAL enable_seqscan = off`
        await tx.run`SET LOCAL enable_bitmapscan = off`
        return tx.rows<Record<string, string>>`
          EXPLAIN SELECT ctid FROM ${Prisma.raw(`"${table}"`)} WHERE ${Prisma.raw(condition)} LIMIT 500 FOR UPDATE SKIP LOCKED`
      })
      const text = plan.map((line) => Object.values(line)[0]).join('\n')
      expect(text).toMatch(/Index (Only )?Scan/)
      expect(text).not.toMatch(/Seq Scan/)
    }
  })
})
