import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { messagesIn, type SentMessage, sentTo } from '@/lib/factories/outbox'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aMailServer, withoutProvider } from '@/lib/fixtures/mail'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { day, hour, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { giveUpAlert, sendAlert } from './alert'
import { remindOfPecks } from './remind'
import { sendPeckMail } from './send'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling({ displayName: 'Alice42' })
  target = await aDuckling()
  await acquaint(target, asker.id)
})

const risky = { action: 'delete:database', params: { name: 'customers-production', force: true } }
const later = (seconds: number) => secondsAfter(readClock(), seconds)

/** Returns the mails about requests to the target, oldest first. */
async function mails(): Promise<SentMessage[]> {
  return (await sentTo(target.email)).filter(({ kind }) => kind.startsWith('peck_'))
}
const subjects = async () => (await mails()).map(({ subject }) => subject)

/** Runs the mail of a peck as if it were later. Returns when it is due again, or null. */
async function alertAt(peckId: string, now: Date): Promise<Date | null> {
  try {
    await sendAlert({ duckling_id: target.id, peck_id: peckId }, now)
    return null
  } catch (error) {
    if (error instanceof Postponed) return error.until
    throw error
  }
}

/** Sends the digest of the target as if it were later. */
async function digestAt(now: Date): Promise<void> {
  const { round } = await db().peckNotice.findUniqueOrThrow({ where: { ducklingId: target.id } })
  await sendPeckMail({ duckling_id: target.id, round }, now)
}

describe('a request with a high risk', () => {
  it('is mailed at once, without the others, also in the pause after another mail and beside a request of the same second', async () => {
    const agent = await anAgent(target)
    await aPeck(agent, target, { action: 'read:calendar' })
    await mails()
    await aPeck(agent, target, { action: 'read:a' })
    const { peck_id } = await aPeck(agent, target, risky)
    const [, alert, ...others] = await mails()
    expect(others).toEqual([])
    expect(alert?.subject).toMatch(/^High risk: .+: delete the database customers-production \(force\)$/)
    expect(alert?.text).toContain(`/pecks/${peck_id}\n`)
    expect(alert?.text.match(/\/pecks\/PECK/g)).toHaveLength(1)
  })

  it.each<[string, string, object]>([
    [
      'delete:database',
      ': delete the database customers-production ("cascade", force)',
      { cascade: true, name: 'customers-production' },
    ],
    [
      'pay:invoice',
      ' wants to pay an invoice (€4,800.00, force, tip €5.00)',
      { tip: '€5', total: '€4,800.00', password: 'hunter2!' },
    ],
    [
      'delete:database',
      ': delete a database (force, "db" customers, database test)',
      { database: 'test', db: 'customers' },
    ],
    ['delete:database', ' wants to delete a database (force)', { password: 'hunter2!' }],
    ['pay:invoice', ' wants to pay an invoice (force, tip €5.00)', { total: '4.800 €', tip: '€5' }],
  ])(
    'names what decides, nothing that needs a warning, and no secret: %s%s',
    async (action, wish, params) => {
      const agent = await anAgent(target)
      await db().agent.update({ where: { id: agent.agentId }, data: { name: 'Scout' } })
      await aPeck(agent, target, { action, params: { force: true, ...params } })
      const [mail] = await mails()
      expect(mail?.subject).toBe(`High risk: Scout${wish}`)
      expect(`${mail?.text}${mail?.html}`).not.toContain('hunter2')
    },
  )

  it('names neither amount nor target when the person switched that off', async () => {
    const body = { channels: { mail: { details: false } } }
    await call('POST /beak/notifications/update', { token: target.token, body })
    await aPeck(asker, target, risky)
    const [mail] = await mails()
    expect(mail?.subject).toBe('High risk: Alice42 wants to delete a database')
    expect(`${mail?.text}${mail?.html}`).not.toContain('customers')
  })

  it('is not in the digest that follows', async () => {
    const { peck_id } = await aPeck(asker, target, risky)
    await aPeck(asker, target, { action: 'read:a' })
    await digestAt(later(11 * minute))
    const ofPeck = (await mails()).filter(({ text }) => text.includes(peck_id))
    expect(ofPeck.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^High risk: /)])
    expect(await mails()).toHaveLength(2)
  })

  it('is not mailed when it was answered meanwhile, when its asker is blocked, or when the target wants no mail', async () => {
    const answered = await aPeck(asker, target, risky)
    await db().outbox.deleteMany({ where: { kind: 'peck_alert' } })
    const reject = { peck_id: answered.peck_id, reason: 'No' }
    await call('POST /beak/peck/reject', { token: target.token, body: reject })
    await alertAt(answered.peck_id, readClock())
    const blocked = await aPeck(await aDuckling(), target, risky)
    const unwanted = await aPeck(await anAgent(target), target, risky)
    await db().outbox.deleteMany({ where: { kind: 'peck_alert' } })
    await call('POST /beak/peck/block', {
      token: target.token,
      body: { duckling_id: blocked.requester.duckling_id },
    })
    await alertAt(blocked.peck_id, readClock())
    await call('POST /beak/notifications/update', {
      token: target.token,
      body: { channels: { mail: { requests: 'none' } } },
    })
    await alertAt(unwanted.peck_id, readClock())
    expect(await mails()).toEqual([])
  })

  it('waits for the end of quiet hours and of a snooze, and looks again every ten minutes', async () => {
    const now = readClock()
    const hourOf = (seconds: number) => `${secondsAfter(now, seconds).toISOString().slice(11, 13)}:00`
    const quiet_hours = { from: hourOf(-hour), to: hourOf(2 * hour) }
    const settings = { time_zone: 'UTC', quiet_hours }
    await call('POST /beak/notifications/update', { token: target.token, body: settings })
    const { peck_id } = await aPeck(asker, target, risky)
    expect(await mails()).toEqual([])
    expect(await alertAt(peck_id, now)).toEqual(secondsAfter(now, 10 * minute))
    await call('POST /beak/notifications/update', { token: target.token, body: { quiet_hours: null } })
    const until = later(20 * hour).toISOString()
    await call('POST /beak/peck/snooze', { token: target.token, body: { peck_id, until } })
    expect(await alertAt(peck_id, now)).toEqual(secondsAfter(now, 10 * minute))
    await call('POST /beak/peck/snooze', { token: target.token, body: { peck_id, until: null } })
    expect(await alertAt(peck_id, later(minute))).toBeNull()
    expect(await subjects()).toEqual([expect.stringMatching(/^High risk: /)])
  })

  it('is in the next digest when its mail cannot be sent for a day', async () => {
    const { peck_id } = await aPeck(asker, target, risky)
    await withoutProvider(async () => {
      await expect(alertAt(peck_id, readClock())).rejects.toThrow('SMTP_URL')
    })
    await db().outbox.deleteMany({ where: { kind: 'peck_alert' } })
    await transaction((tx) => giveUpAlert(tx, { duckling_id: target.id, peck_id }, readClock()))
    expect(await subjects()).toEqual([expect.stringMatching(/^High risk: /)])
  })

  it('is reminded of once, in a mail that says so', async () => {
    await aPeck(asker, target, { ...risky, expiresIn: 4 * hour })
    await mails()
    await remindOfPecks(later(3 * hour))
    await digestAt(later(3 * hour))
    expect((await subjects())[1]).toMatch(/^Reminder: high risk: /)
    expect(await db().peckMail.count({ where: { ducklingId: target.id } })).toBe(0)
  })
})

/** Returns the ids of the requests that a mail links to, in its order. */
const linked = ({ text }: SentMessage) => [...text.matchAll(/\/pecks\/(PECK-\w+)/g)].map(([, id = '']) => id)

const isAlert = ({ subject }: SentMessage) => subject?.startsWith('High risk: ') ?? false
const alerts = async () => (await mails()).filter(isAlert)
const mailRows = () =>
  db().peckMail.findMany({ where: { ducklingId: target.id }, orderBy: { peckId: 'asc' } })
const stages = async () => (await mailRows()).map(({ stage }) => stage)

let databases = 0

/** Sends different requests with a high risk and returns their ids. */
async function ask(by: ADuckling | AnAgent, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++)
    ids.push((await aPeck(by, target, { ...risky, params: { name: `db-${databases++}` } })).peck_id)
  return ids
}

describe('high risks of one minute', () => {
  it('are two mails: the first request at once, and the other eight a minute later', async () => {
    moveClock(readClock())
    const [first = ''] = await ask(asker, 1)
    expect((await mails()).map(linked)).toEqual([[first]])
    const others = await ask(asker, 8)
    await aPeck(asker, target, { action: 'read:calendar' })
    moveClock(later(minute - 1))
    expect(await alerts()).toHaveLength(1)
    moveClock(later(1))
    const [, second, ...more] = await alerts()
    expect(more).toEqual([])
    expect(second?.subject).toBe('High risk: 8 new requests wait for your answer')
    expect(linked(second as SentMessage).sort()).toEqual(others)
    moveClock(later(2 * minute))
    expect(await alerts()).toHaveLength(2)
    expect(await db().outbox.count({ where: { kind: 'peck_alert', payload: ofTarget() } })).toBe(0)
    expect(await db().peck.count({ where: { id: { in: others }, notifiedAt: null } })).toBe(0)
  })

  it('leave the next request after a minute of silence a mail of its own, at once', async () => {
    moveClock(readClock())
    await ask(asker, 1)
    await mails()
    moveClock(later(minute))
    const [next = ''] = await ask(asker, 1)
    expect((await alerts()).map(linked)).toMatchObject([{}, [next]])
  })

  it('leave out what was answered before the mail, and keep what is snoozed for a later one', async () => {
    moveClock(readClock())
    await ask(asker, 1)
    await mails()
    const [answered = '', snoozed = '', waiting] = await ask(asker, 3)
    await rejectPeck(await target.context(), answered, 'No')
    const until = later(20 * minute)
    await call('POST /beak/peck/snooze', {
      token: target.token,
      body: { peck_id: snoozed, until: until.toISOString() },
    })
    moveClock(later(minute))
    expect((await alerts()).slice(1).map(linked)).toEqual([[waiting]])
    for (let minutes = 0; minutes < 20; minutes += 10) {
      moveClock(later(10 * minute))
      await mails()
    }
    expect((await alerts()).slice(2).map(linked)).toEqual([[snoozed]])
  })

  it('show the first request of another asker among the first, however many somebody else sends', async () => {
    const agent = await anAgent(target)
    await ask(agent, 14)
    const [of = ''] = await ask(asker, 1)
    const [mail] = await alerts()
    expect(mail?.subject).toBe('High risk: 15 new requests wait for your answer')
    expect(linked(mail as SentMessage).slice(0, 2)).toContain(of)
  })

  it('are in the next digest together when their mail cannot be sent for a day', async () => {
    const [first = '', second = ''] = await ask(asker, 2)
    await withoutProvider(async () => {
      await expect(alertAt(first, readClock())).rejects.toThrow('SMTP_URL')
    })
    await transaction((tx) => giveUpAlert(tx, { duckling_id: target.id, peck_id: first }, readClock()))
    await mails()
    expect((await mails()).map((mail) => linked(mail).sort())).toEqual([[first, second]])
  })

  it('do not tell an asker that is blocked: later ones count as mailed a minute after the first', async () => {
    moveClock(readClock())
    const known = await aDuckling()
    await acquaint(target, known.id)
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: known.id } })
    const [first = ''] = await ask(known, 1)
    const [sameBurst = ''] = await ask(known, 1)
    await mails()
    moveClock(later(10))
    await mails()
    const [second = ''] = await ask(known, 1)
    await mails()
    const notifiedAt = async (id: string) => (await db().peck.findUniqueOrThrow({ where: { id } })).notifiedAt
    expect(await notifiedAt(first)).not.toBeNull()
    expect(await notifiedAt(sameBurst)).toEqual(await notifiedAt(first))
    expect(await notifiedAt(second)).toBeNull()
    moveClock(later(minute))
    await mails()
    expect(await notifiedAt(second)).not.toBeNull()
    expect(await mails()).toEqual([])
  })
})

const ofTarget = () => ({ path: ['duckling_id'], equals: target.id })

/** Sets the clock of this process. The test moves it further. */
function moveClock(now: Date): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}

describe('a crash or an outage while high risks are mailed', () => {
  it('repeats the same mail with the same Message-ID, and later requests wait for the next one', async () => {
    moveClock(readClock())
    const [first = '', second = ''] = await ask(asker, 2)
    await withoutProvider(async () => {
      await expect(alertAt(first, readClock())).rejects.toThrow('SMTP_URL')
    })
    const mailId = (await mailRows())[0]?.mailId
    const [third = ''] = await ask(asker, 1)
    const server = await aMailServer(async () => undefined)
    // Another row than the owner of the mail sends nothing.
    expect(await alertAt(second, readClock())).toEqual(later(minute))
    expect(await alertAt(first, readClock())).toBeNull()
    expect(await alertAt(first, readClock())).toBeNull()
    expect(await alertAt(second, later(minute))).toBeNull()
    expect(await alertAt(third, later(minute))).toBeNull()
    const [again, next, ...others] = server.mails
    expect(others).toEqual([])
    expect(again).toContain(`Message-ID: <${mailId}@`)
    for (const id of [first, second]) expect(again).toContain(id)
    expect(again).not.toContain(third)
    expect(next).toContain(third)
    expect(next).not.toContain(String(mailId))
  })

  it('counts one mail of the day, however often it is tried', async () => {
    const [first = ''] = await ask(asker, 1)
    await withoutProvider(async () => {
      for (let attempt = 0; attempt < 3; attempt++)
        await expect(alertAt(first, readClock())).rejects.toThrow('SMTP_URL')
    })
    await mails()
    const counted = await db().dailyCount.findMany({
      where: { name: 'peck_alerts', key: `${target.id} ${asker.id}` },
    })
    expect(counted.map(({ count }) => count)).toEqual([1])
  })

  it('makes one mail of 50 rows that run at the same time', async () => {
    const agent = await anAgent(target)
    const ids = await ask(agent, 20)
    const server = await aMailServer(async () => undefined)
    const now = readClock()
    await Promise.all(Array.from({ length: 50 }, (_, index) => alertAt(ids[index % 20] ?? '', now)))
    expect(new Set(server.mails.map((mail) => /^Message-ID: (.+)\r$/im.exec(mail)?.[1])).size).toBe(1)
    expect(await stages()).toEqual(Array(20).fill('announced'))
  })

  it('sends the rest of a mail whose first request was answered after the crash', async () => {
    const [first = '', second = ''] = await ask(asker, 2)
    await withoutProvider(async () => {
      await expect(alertAt(first, readClock())).rejects.toThrow('SMTP_URL')
    })
    await rejectPeck(await target.context(), first, 'No')
    await alertAt(first, later(minute))
    expect((await alerts()).map(linked)).toEqual([[second]])
  })
})

describe('an asker who sends many requests with a high risk', () => {
  it('causes 20 mails a day at once, and the others come as a digest, the riskiest first', async () => {
    const agent = await anAgent(target)
    // The mails of a day are counted by the day in UTC.
    const left = day - (Math.floor(readClock().getTime() / 1000) % day)
    const begin = left > hour ? 0 : left
    for (let index = 0; index < 22; index++) {
      const { peck_id } = await aPeck(agent, target, { ...risky, params: { name: `db-${index}` } })
      await alertAt(peck_id, later(begin + index * 2 * minute))
    }
    await aPeck(agent, target, { action: 'read:a', expiresIn: begin + hour })
    const sent = await mails()
    expect(sent.filter(({ subject }) => subject?.startsWith('High risk: '))).toHaveLength(20)
    await digestAt(later(begin + hour - minute))
    const digests = (await mails()).filter(({ subject }) => !subject?.startsWith('High risk: '))
    expect(digests.at(-1)?.text).toMatch(/^1\. [^\n]+\nHigh risk: /)
  })

  it('causes one mail a day as a stranger, whatever the risk', async () => {
    const stranger = await aDuckling()
    await aPeck(stranger, target, risky)
    expect(await subjects()).toEqual([expect.stringMatching(/^High risk: /)])
    for (let index = 0; index < 4; index++)
      await aPeck(stranger, target, { ...risky, params: { name: `db-${index}` }, expiresIn: 48 * hour })
    expect(await subjects()).toHaveLength(1)
    const where = { kind: 'peck_mail' as const, payload: { path: ['duckling_id'], equals: target.id } }
    const waiting = await db().outbox.findMany({ where })
    expect(waiting.filter(({ dueAt }) => dueAt < later(23 * hour))).toEqual([])
    await digestAt(later(25 * hour))
    expect((await subjects())[1]).toBe("4 requests from people you don't know, 4 with a high risk")
  })
})

describe('dangers of a burst', () => {
  it('are one mail, which leaves ten seconds after the first of them', async () => {
    moveClock(readClock())
    const begin = readClock()
    const agent = await anAgent(target)
    for (let index = 0; index < 9; index++) {
      await aPeck(agent, target, { ...risky, params: { name: `db-${index}` } })
      moveClock(secondsAfter(readClock(), 0.5))
    }
    await drainOutbox()
    expect(messagesIn(config().dataDir).filter(({ to }) => to === target.email)).not.toContainEqual(
      expect.objectContaining({ kind: 'peck_waiting' }),
    )
    moveClock(secondsAfter(begin, 10))
    expect(await subjects()).toEqual(['High risk: 9 new requests wait for your answer'])
    moveClock(secondsAfter(begin, 10 * minute))
    expect(await subjects()).toHaveLength(1)
  })

  it('wait no longer than a minute when the clock was ahead at the last mail', async () => {
    const agent = await anAgent(target)
    await aPeck(agent, target, risky)
    await mails()
    const alertedAt = later(30 * day)
    await db().peckNotice.update({ where: { ducklingId: target.id }, data: { alertedAt } })
    const { peck_id } = await aPeck(agent, target, { ...risky, message: 'Again' })
    const now = readClock()
    expect(Number(await alertAt(peck_id, now))).toBeLessThanOrEqual(Number(secondsAfter(now, minute)))
  })
})
