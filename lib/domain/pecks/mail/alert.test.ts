import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import type { SentMessage } from '@/lib/factories/outbox-folder'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { withoutProvider } from '@/lib/fixtures/mail'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { hour, minute, readClock, secondsAfter } from '@/lib/kernel/clock'
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
async function alertAt(peckId: string, now: Date, isStranger = false): Promise<Date | null> {
  try {
    await sendAlert({ duckling_id: target.id, peck_id: peckId, is_stranger: isStranger }, now)
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
  it('is mailed at once and alone, also in the pause after another mail and beside a request of the same second', async () => {
    const agent = await anAgent(target)
    await aPeck(agent, target, { action: 'read:calendar' })
    await mails()
    await aPeck(agent, target, { action: 'read:a' })
    const { peck_id } = await aPeck(agent, target, risky)
    const [, alert, ...others] = await mails()
    expect(others).toEqual([])
    expect(alert?.subject).toMatch(/^High risk: .+ wants to delete /)
    expect(alert?.text).toContain(`/pecks/${peck_id}\n`)
    expect(alert?.text.match(/\/pecks\/PECK/g)).toHaveLength(1)
  })

  it.each<[string, string, object]>([
    [
      'delete:database',
      'delete the database customers-production',
      { cascade: true, name: 'customers-production' },
    ],
    ['pay:invoice', 'pay an invoice (€4,800.00)', { tip: '€5', total: '€4,800.00', password: 'hunter2!' }],
    ['delete:database', 'delete a database', { database: 'test', db: 'customers' }],
    ['delete:database', 'delete a database', { password: 'hunter2!' }],
    ['pay:invoice', 'pay an invoice', { total: '4.800 €', tip: '€5' }],
  ])('names the largest amount or the target, and no secret: %s, %s', async (action, wish, params) => {
    const agent = await anAgent(target)
    await db().agent.update({ where: { id: agent.agentId }, data: { name: 'Scout' } })
    await aPeck(agent, target, { action, params: { force: true, ...params } })
    const [mail] = await mails()
    expect(mail?.subject).toBe(`High risk: Scout wants to ${wish}`)
    expect(`${mail?.text}${mail?.html}`).not.toContain('hunter2')
  })

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
    await transaction((tx) =>
      giveUpAlert(tx, { duckling_id: target.id, peck_id, is_stranger: false }, readClock()),
    )
    expect(await subjects()).toEqual([expect.stringMatching(/^High risk: /)])
  })

  it('is reminded of once, in a mail that says so', async () => {
    await aPeck(asker, target, { ...risky, expiresIn: 4 * hour })
    await mails()
    await remindOfPecks(later(3 * hour))
    await digestAt(later(3 * hour))
    expect((await subjects())[1]).toMatch(/^High risk: .+ \(reminder\)$/)
    expect(await db().peckMail.count({ where: { ducklingId: target.id } })).toBe(0)
  })
})

describe('an asker who sends many requests with a high risk', () => {
  it('causes 20 mails a day at once, and the others come as a digest, the riskiest first', async () => {
    const agent = await anAgent(target)
    for (let index = 0; index < 22; index++)
      await aPeck(agent, target, { ...risky, params: { name: `db-${index}` } })
    await aPeck(agent, target, { action: 'read:a', expiresIn: hour })
    const sent = await mails()
    expect(sent.filter(({ subject }) => subject?.startsWith('High risk: '))).toHaveLength(20)
    await digestAt(later(11 * minute))
    const digests = (await mails()).filter(({ subject }) => !subject?.startsWith('High risk: '))
    expect(digests.at(-1)?.text).toMatch(/1\. [^\n]+ High risk\./)
  })

  it('causes three of them as a stranger, and one digest', async () => {
    const stranger = await aDuckling()
    for (let index = 0; index < 5; index++)
      await aPeck(stranger, target, { ...risky, params: { name: `db-${index}` } })
    const sent = await subjects()
    expect(sent.filter((subject) => subject?.startsWith('High risk: '))).toHaveLength(3)
    expect(sent.filter((subject) => subject?.includes('2 with a high risk'))).toHaveLength(1)
    expect(sent).toHaveLength(4)
  })
})
