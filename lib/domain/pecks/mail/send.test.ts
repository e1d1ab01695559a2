import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { endGathering, messagesIn, type SentMessage, sentTo } from '@/lib/factories/outbox'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aMailServer, withoutProvider } from '@/lib/fixtures/mail'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { day, hour, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox, drainPool } from '@/lib/worker/start'
import { dropOver, finishMail, markMail } from './batch'
import { remindOfPecks } from './remind'
import { sendPeckMail } from './send'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling({ displayName: 'Alice42' })
  target = await aDuckling({ displayName: 'Bob7' })
  await acquaint(target, asker.id)
})

const isAboutPecks = ({ kind }: SentMessage) => kind === 'peck_waiting' || kind === 'peck_reminder'

/** Returns the mails about pecks to the target, oldest first. */
async function mails(to = target): Promise<SentMessage[]> {
  return (await sentTo(to.email)).filter(isAboutPecks)
}

/** Returns the ids that the mails link to. */
const linked = (sent: SentMessage[]) =>
  sent.flatMap(({ text }) => [...text.matchAll(/\/pecks\/(PECK-\w+)/g)].map(([, id = '']) => id))

const noticeOf = ({ id }: ADuckling) => db().peckNotice.findUniqueOrThrow({ where: { ducklingId: id } })
const waitingFor = ({ id }: ADuckling) => db().peckMail.findMany({ where: { ducklingId: id } })

/** Runs the scheduled mail of the target as if it were later. Returns when it is due again, or null. */
async function mailAt(now: Date, to = target): Promise<Date | null> {
  const { round } = await noticeOf(to)
  try {
    await sendPeckMail({ duckling_id: to.id, round }, now)
    return null
  } catch (error) {
    if (error instanceof Postponed) return error.until
    throw error
  }
}

const later = (seconds: number) => secondsAfter(readClock(), seconds)
const change = (body: object, { token } = target) => call('POST /beak/notifications/update', { token, body })
const mailSettings = (mail: object) => change({ channels: { mail } })

describe('an announcement', () => {
  it('is mailed at once, says who wants what, and links to the request', async () => {
    const agent = await anAgent(asker)
    await db().agent.update({ where: { id: agent.agentId }, data: { name: 'Scout' } })
    const { peck_id, params } = await aPeck(agent, target, {
      action: 'send:email',
      params: { to: 'mallory@evil.example' },
      message: 'Click http://evil.example',
    })
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Somebody you don\'t know: "Scout" of Alice42 wants to send an email')
    expect(mail?.text).toContain(
      `Asked by: "Scout", an agent of Alice42 (ID ending in ${asker.id.slice(-4)}), whom you don't know\n`,
    )
    expect(mail?.text).toContain('If you approve: Allowed once, within 24 hours\n')
    expect(linked([mail as SentMessage])).toEqual([peck_id])
    expect(params).toEqual({ to: 'mallory@evil.example' })
    expect(mail?.text).toContain('To: "mallory@\u2060evil.\u2060example"')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil\.example|Click/)
  })

  it('comes together with those of the next ten minutes, each once', async () => {
    const first = await aPeck(asker, target, { action: 'read:a' })
    expect(linked(await mails())).toEqual([first.peck_id])
    const second = await aPeck(asker, target, { action: 'read:b' })
    const third = await aPeck(asker, target, { action: 'read:c' })
    expect(await mails()).toHaveLength(1)
    const { mailedAt } = await noticeOf(target)
    const pauseEnd = secondsAfter(mailedAt as Date, 600)
    expect(await mailAt(secondsAfter(pauseEnd, -1))).toEqual(pauseEnd)
    expect(await mailAt(pauseEnd)).toBeNull()
    const [, merged, ...others] = await mails()
    expect(others).toEqual([])
    expect(merged?.subject).toBe('2 new requests wait for your answer')
    expect(linked([merged as SentMessage])).toEqual([second.peck_id, third.peck_id])
    expect(await mailAt(secondsAfter(pauseEnd, 601))).toBeNull()
    expect(await mails()).toHaveLength(2)
  })

  it('is sent exactly once for each of 50 simultaneous requests', { timeout: 120_000 }, async () => {
    const askers = await Promise.all(Array.from({ length: 5 }, () => aDuckling()))
    for (const { id } of askers) await acquaint(target, id)
    const pecks = await Promise.all(
      askers.flatMap((from) =>
        Array.from({ length: 10 }, (_, index) => aPeck(from, target, { action: `read:n${index}` })),
      ),
    )
    await mails()
    expect(await waitingFor(target)).toHaveLength(50)
    await mailAt(later(601))
    const sent = await mails()
    const counts = sent.map(({ subject }) => Number(/^(\d+) new requests/.exec(subject ?? '')?.[1] ?? 1))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(pecks.length)
    expect(new Set(linked(sent)).size).toBe(linked(sent).length)
    expect((await waitingFor(target)).map(({ stage }) => stage)).toEqual(pecks.map(() => 'announced'))
  })

  it('leaves out requests that were answered, withdrawn or blocked meanwhile', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const [answered, withdrawn, open] = [
      await aPeck(asker, target, { action: 'read:a' }),
      await aPeck(asker, target, { action: 'read:b' }),
      await aPeck(asker, target, { action: 'read:c' }),
    ]
    const blocked = await aDuckling()
    await aPeck(blocked, target)
    await rejectPeck(await target.context(), answered.peck_id, 'No')
    await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id: withdrawn.peck_id } })
    await blockDuckling(await target.context(), blocked.id)
    await mailAt(later(601))
    const [, second] = await mails()
    expect(linked([second as SentMessage])).toEqual([open.peck_id])
    expect(second?.subject).toBe('Alice42 wants to "read c"')
  })

  it('is not sent when nothing waits any more, and the next request is mailed at once', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const { mailedAt } = await noticeOf(target)
    const { peck_id } = await aPeck(asker, target, { action: 'read:a' })
    await rejectPeck(await target.context(), peck_id, 'No')
    expect(await mailAt(later(601))).toBeNull()
    expect(await noticeOf(target)).toMatchObject({ mailedAt, isScheduled: false })
    const next = await aPeck(asker, target, { action: 'read:b' })
    await mailAt(later(602))
    expect(linked((await mails()).slice(1))).toEqual([next.peck_id])
  })

  it('is still sent for a request that comes just before the answered ones are removed', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const { peck_id } = await aPeck(asker, target, { action: 'read:a' })
    await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id } })
    const next = await aPeck(asker, target, { action: 'read:b' })
    const { round } = await noticeOf(target)
    expect(await transaction((tx) => dropOver(tx, target.id, round, readClock()))).toBe(true)
    expect(await noticeOf(target)).toMatchObject({ round, isScheduled: true })
    expect((await waitingFor(target)).map(({ peckId }) => peckId)).not.toContain(peck_id)
    await mailAt(later(601))
    expect(linked((await mails()).slice(1))).toEqual([next.peck_id])
  })

  it('keeps the time of a round that strangers start while an earlier round ends', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const { round } = await noticeOf(target)
    await aPeck(await aDuckling(), target)
    const next = await noticeOf(target)
    const waits = { round: next.round, isScheduled: false }
    expect(waits.round).toBeGreaterThan(round)
    await db().peckNotice.update({ where: { ducklingId: target.id }, data: waits })
    expect(await transaction((tx) => dropOver(tx, target.id, round, readClock()))).toBe(false)
    expect(await noticeOf(target)).toMatchObject(waits)
    const finished = { ducklingId: target.id, round, mailId: null, sentAt: null, setAside: [] }
    expect(await finishMail(finished, readClock())).toBe(false)
    expect(await noticeOf(target)).toMatchObject(waits)
  })

  it('is still due for a request that comes after a mail was found to have none', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    await aPeck(asker, target, { action: 'read:a' })
    const { round } = await noticeOf(target)
    const finished = { ducklingId: target.id, round, mailId: null, sentAt: null, setAside: [] }
    expect(await finishMail(finished, readClock())).toBe(true)
    expect(await noticeOf(target)).toMatchObject({ round, isScheduled: true })
  })

  it('lists ten requests and counts the others', async () => {
    await aPeck(asker, target)
    await mails()
    const askers = await Promise.all([aDuckling(), aDuckling()])
    for (const { id } of askers) await acquaint(target, id)
    for (const from of askers)
      for (let index = 0; index < 6; index++) await aPeck(from, target, { action: `read:n${index}` })
    await mailAt(later(601))
    const [, merged] = await mails()
    expect(linked([merged as SentMessage])).toHaveLength(10)
    expect(merged?.text).toContain('2 more requests are in your inbox.')
  })

  it('does not go to an unverified address', async () => {
    const unverified = await aDuckling({ tier: 'T0' })
    await aPeck(asker, unverified)
    expect(await mails(unverified)).toEqual([])
    expect(await waitingFor(unverified)).toEqual([])
  })

  it('is removed when the account is closed', async () => {
    await aPeck(asker, target)
    await call('POST /beak/account/delete', { token: target.token })
    expect(await mails()).toEqual([])
    expect(await waitingFor(target)).toEqual([])
    expect(await db().peckNotice.count({ where: { ducklingId: target.id } })).toBe(0)
  })
})

describe('the settings of the target', () => {
  it('can exclude own agents, low risks or all requests', async () => {
    const own = await anAgent(target)
    await mailSettings({ requests: 'others' })
    await aPeck(own, target, { action: 'read:a' })
    expect(await mails()).toEqual([])
    await mailSettings({ requests: 'high_risk' })
    await aPeck(asker, target, { action: 'read:calendar' })
    expect(await mails()).toEqual([])
    const risky = await aPeck(asker, target, { action: 'delete:database', params: { env: 'production' } })
    const [mail] = await mails()
    expect(linked([mail as SentMessage])).toEqual([risky.peck_id])
    expect(mail?.text).toContain('High risk: ')
    await mailSettings({ requests: 'none' })
    await aPeck(asker, target, { action: 'delete:account' })
    expect(await waitingFor(target)).toHaveLength(1)
  })

  it('apply to requests that wait when the settings change', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    await aPeck(asker, target, { action: 'read:a' })
    await mailSettings({ requests: 'none' })
    expect(await mailAt(later(601))).toBeNull()
    expect(await mails()).toHaveLength(1)
    expect(await noticeOf(target)).toMatchObject({ isScheduled: false })
  })

  it('can delay mails until the quiet hours end, in the time zone of the target', async () => {
    const now = readClock()
    const hourOf = (seconds: number) => `${secondsAfter(now, seconds).toISOString().slice(11, 13)}:00`
    const quiet = { from: hourOf(-hour), to: hourOf(2 * hour) }
    await change({ time_zone: 'UTC', quiet_hours: quiet })
    const short = await aPeck(asker, target, { action: 'read:a', expiresIn: 60 })
    const long = await aPeck(asker, target, { action: 'read:b' })
    expect(await mails()).toEqual([])
    const end = await mailAt(now)
    expect(end?.toISOString().slice(11)).toBe(`${quiet.to}:00.000Z`)
    await mailAt(end as Date)
    const sent = await mails()
    expect(linked(sent)).toEqual([long.peck_id])
    expect(linked(sent)).not.toContain(short.peck_id)
  })

  it('send what has waited soon after the quiet hours are switched off', async () => {
    await change({ time_zone: 'UTC', quiet_hours: { from: '00:00', to: '23:59' } })
    const { peck_id } = await aPeck(asker, target)
    expect(await mails()).toEqual([])
    const { round } = await noticeOf(target)
    await change({ quiet_hours: null })
    const rows = await db().outbox.findMany({
      where: { kind: 'peck_mail', payload: { path: ['duckling_id'], equals: target.id } },
      orderBy: { id: 'asc' },
    })
    expect(rows.map(({ payload }) => payload)).toMatchObject([{ round }, { round: round + 1 }])
    expect(Number(rows[1]?.dueAt)).toBeLessThanOrEqual(Number(later(minute)))
    await sendPeckMail({ duckling_id: target.id, round }, later(minute))
    expect(await mails()).toEqual([])
    await mailAt(later(minute))
    expect(linked(await mails())).toEqual([peck_id])
  })
})

describe('a reminder', () => {
  it('comes once, when a quarter of the time is left', async () => {
    const { peck_id } = await aPeck(asker, target, { expiresIn: 4 * hour })
    await mails()
    await remindOfPecks(later(3 * hour - minute))
    expect(await noticeOf(target)).toMatchObject({ isScheduled: false })
    await remindOfPecks(later(3 * hour))
    await remindOfPecks(later(3 * hour))
    await mailAt(later(3 * hour))
    const [, reminder] = await mails()
    expect(reminder).toMatchObject({
      kind: 'peck_reminder',
      subject: 'Reminder: Alice42 wants to read your profile',
    })
    expect(linked([reminder as SentMessage])).toEqual([peck_id])
    expect(await waitingFor(target)).toEqual([])
    await remindOfPecks(later(3 * hour + 30 * minute))
    expect(await mails()).toHaveLength(2)
  })

  it('is not sent for a request that was answered, or lasts less than an hour', async () => {
    const { peck_id } = await aPeck(asker, target, { action: 'read:a', expiresIn: 4 * hour })
    await mails()
    await aPeck(asker, target, { action: 'read:b', expiresIn: hour - 1 })
    await mailAt(later(601))
    await rejectPeck(await target.context(), peck_id, 'No')
    await remindOfPecks(later(4 * hour - minute))
    expect(await waitingFor(target)).toEqual([])
    expect(await noticeOf(target)).toMatchObject({ isScheduled: false })
  })

  it('shares a mail with new requests, and waits for the pause between mails', async () => {
    const old = await aPeck(asker, target, { action: 'read:a', expiresIn: 4 * hour })
    await mails()
    await db().peckNotice.update({ where: { ducklingId: target.id }, data: { mailedAt: later(3 * hour) } })
    await remindOfPecks(later(3 * hour + minute))
    const fresh = await aPeck(asker, target, { action: 'read:b', expiresIn: 5 * hour })
    const mailedAt = (await noticeOf(target)).mailedAt as Date
    expect(await mailAt(later(3 * hour + minute))).toEqual(secondsAfter(mailedAt, 600))
    await mailAt(secondsAfter(mailedAt, 600))
    const [, merged] = await mails()
    expect(merged?.subject).toBe('2 requests wait for your answer')
    expect(linked([merged as SentMessage])).toEqual([old.peck_id, fresh.peck_id])
  })

  it('is not sent when the announcement itself came that late', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    await aPeck(asker, target, { action: 'read:a', expiresIn: 4 * hour })
    await mailAt(later(3 * hour - 10 * minute))
    const waiting = await waitingFor(target)
    expect(waiting.map(({ stage }) => stage)).toEqual(['announced'])
    expect(Number(waiting[0]?.remindAt)).toBeGreaterThan(Number(later(17 * hour)))
  })

  it('can be switched off', async () => {
    await aPeck(asker, target, { action: 'read:a', expiresIn: 4 * hour })
    await mails()
    await mailSettings({ reminders: false })
    await remindOfPecks(later(3 * hour))
    await mailAt(later(3 * hour))
    expect(await mails()).toHaveLength(1)
    await aPeck(asker, target, { action: 'read:b', expiresIn: day })
    const rows = await waitingFor(target)
    expect(rows.map(({ remindAt }) => remindAt)).toEqual([null])
  })
})

const snooze = (peckId: string, until: Date | null) =>
  call('POST /beak/peck/snooze', {
    token: target.token,
    body: { peck_id: peckId, until: until?.toISOString() ?? null },
  })

describe('a request that the target has snoozed', () => {
  it('is announced when it is back, and the next request does not wait for that', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const { peck_id } = await aPeck(asker, target, { action: 'read:a', expiresIn: hour - 1 })
    const until = later(40 * minute)
    await snooze(peck_id, until)
    expect(await mailAt(later(601))).toBeNull()
    expect(await mails()).toHaveLength(1)
    expect(await nextMailAt()).toEqual(until)
    const next = await aPeck(asker, target, { action: 'read:b' })
    await mailAt(later(602))
    expect(linked((await mails()).slice(1))).toEqual([next.peck_id])
    await mailAt(secondsAfter(until, minute))
    expect(linked((await mails()).slice(2))).toEqual([peck_id])
  })

  it('is announced at once when the target brings it back earlier', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const { peck_id } = await aPeck(asker, target, { action: 'read:a' })
    await snooze(peck_id, later(20 * hour))
    await mailAt(later(601))
    await snooze(peck_id, null)
    expect(Number(await nextMailAt())).toBeLessThan(Number(later(11 * minute)))
    await mailAt(later(602))
    expect(linked((await mails()).slice(1))).toEqual([peck_id])
  })

  it('is left out of a mail with reminders, and the target is reminded when it is back', async () => {
    const { peck_id } = await aPeck(asker, target, { expiresIn: 4 * hour })
    await mails()
    await remindOfPecks(later(3 * hour))
    const until = later(3.5 * hour)
    await snooze(peck_id, until)
    expect(await mailAt(later(3 * hour + minute))).toBeNull()
    expect(await mails()).toHaveLength(1)
    await remindOfPecks(secondsAfter(until, -1))
    expect((await waitingFor(target)).map(({ stage }) => stage)).toEqual(['announced'])
    await remindOfPecks(until)
    await mailAt(until)
    expect((await mails()).slice(1).map(({ kind }) => kind)).toEqual(['peck_reminder'])
  })

  // security: mail-4
  it('keeps its reminder when a thief snoozes it until its end and brings it back', async () => {
    const { peck_id } = await aPeck(asker, target, { expiresIn: 4 * hour })
    await mails()
    const [planned] = await waitingFor(target)
    await snooze(peck_id, later(4 * hour - minute))
    await remindOfPecks(later(3 * hour + minute))
    await snooze(peck_id, null)
    await remindOfPecks(later(3 * hour + 2 * minute))
    expect((await waitingFor(target)).map(({ stage }) => stage)).toEqual(['remind'])
    await db().peckMail.update({ where: { peckId: peck_id }, data: { ...planned, mailId: null } })
    await snooze(peck_id, later(4 * hour - minute))
    await snooze(peck_id, null)
    expect(await waitingFor(target)).toEqual([planned])
  })
})

describe('a request with a rejection that can be undone', () => {
  it('is announced after the undo, and not when the rejection takes effect', async () => {
    await aPeck(asker, target, { action: 'read:first' })
    await mails()
    const [undone, rejected] = [
      await aPeck(asker, target, { action: 'read:a' }),
      await aPeck(asker, target, { action: 'read:b' }),
    ]
    for (const { peck_id } of [undone, rejected])
      await rejectPeck(await target.context(), peck_id, 'No', { undoSeconds: 10 })
    const at = later(601)
    await db().peck.updateMany({
      where: { id: { in: [undone.peck_id, rejected.peck_id] } },
      data: { rejectAt: secondsAfter(at, 5) },
    })
    await mailAt(at)
    expect(await mails()).toHaveLength(1)
    await call('POST /beak/peck/undo', { token: target.token, body: { peck_id: undone.peck_id } })
    expect(await nextMailAt()).toEqual(secondsAfter(at, 5))
    await mailAt(secondsAfter(at, 5))
    expect(linked((await mails()).slice(1))).toEqual([undone.peck_id])
  })

  it('is reminded of after the undo', async () => {
    const { peck_id } = await aPeck(asker, target, { expiresIn: 4 * hour })
    await mails()
    const at = later(3 * hour)
    await db().peck.update({ where: { id: peck_id }, data: { rejectAt: secondsAfter(at, 5) } })
    await remindOfPecks(at)
    await mailAt(at)
    await db().peck.update({ where: { id: peck_id }, data: { rejectAt: null } })
    await remindOfPecks(secondsAfter(at, 5))
    expect((await waitingFor(target)).map(({ stage }) => stage)).toEqual(['remind'])
  })
})

/** Sets the clock of this process. The test moves it further. */
function moveClock(now: Date): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}

/** Returns when the scheduled mail of the target is tried next. */
async function nextMailAt(): Promise<Date> {
  const payload = { equals: { duckling_id: target.id, round: (await noticeOf(target)).round } }
  const where = { kind: 'peck_mail', failedAt: null, payload }
  return (await db().outbox.findFirstOrThrow({ where })).dueAt
}

/** Lets the last attempt of the scheduled mail fail. */
async function giveUp(): Promise<void> {
  await db().outbox.updateMany({ where: { kind: 'peck_mail' }, data: { attempts: 1000 } })
  await endGathering()
  await withoutProvider(() => drainPool('messages'))
}

describe('a crash or an outage', () => {
  it('repeats the same mail with the same Message-ID, and later requests wait for the next one', async () => {
    const server = await aMailServer(async () => undefined)
    const first = await aPeck(asker, target, { action: 'read:a' })
    const second = await aPeck(asker, target, { action: 'read:b' })
    // What a process did that died before it recorded that the mail was sent.
    const { mailId } = await markMail(target.id, readClock())
    const third = await aPeck(asker, target, { action: 'read:c' })
    await endGathering()
    await drainPool('messages')
    await mailAt(later(601))
    const sent = server.mails.filter((mail) => mail.includes('X-Beak-Kind: peck_waiting'))
    const [again, next, ...others] = sent
    expect(others).toEqual([])
    expect(again).toContain(`Message-ID: <${mailId}@${new URL(config().baseUrl).hostname}>`)
    expect(again).toContain(first.peck_id)
    expect(again).toContain(second.peck_id)
    expect(again).not.toContain(third.peck_id)
    expect(next).toContain(third.peck_id)
    expect(next).not.toContain(String(mailId))
  })

  it('leaves a request that comes while the mail is sent for the next mail', async () => {
    let during = ''
    const server = await aMailServer(async () => {
      if (during === '') during = (await aPeck(asker, target, { action: 'read:b' })).peck_id
    })
    await aPeck(asker, target, { action: 'read:a' })
    await endGathering()
    await drainPool('messages')
    expect(await noticeOf(target)).toMatchObject({ isScheduled: true })
    await mailAt(later(601))
    expect(server.mails).toHaveLength(2)
    expect(server.mails[0]).not.toContain(during)
    expect(server.mails[1]).toContain(during)
  })

  it('mails requests of an outage within ten minutes after the mail server works again', async () => {
    moveClock(readClock())
    const first = await aPeck(asker, target, { action: 'read:a' })
    const retries: number[] = []
    await withoutProvider(async () => {
      while (retries.length < 30) {
        await drainPool('messages')
        const dueAt = await nextMailAt()
        retries.push((Number(dueAt) - Number(readClock())) / 1000)
        moveClock(dueAt)
      }
    })
    expect(Math.max(...retries)).toBe(600)
    const second = await aPeck(asker, target, { action: 'read:b' })
    expect(linked(await mails())).toEqual([first.peck_id])
    moveClock(later(600))
    expect(linked(await mails())).toEqual([first.peck_id, second.peck_id])
  })

  it('mails a request that no mail server took for a day in a later round', async () => {
    moveClock(readClock())
    const { peck_id } = await aPeck(asker, target, { expiresIn: 3 * day })
    await giveUp()
    moveClock(later(12 * hour - 1))
    expect(await mails()).toEqual([])
    moveClock(later(1))
    expect(linked(await mails())).toEqual([peck_id])
  })

  it('keeps requests that no mail server took for a day, and mails them with the next request', async () => {
    const kept = await aPeck(asker, target, { action: 'read:a', expiresIn: 3 * day })
    await giveUp()
    expect(await noticeOf(target)).toMatchObject({ isScheduled: false, mailedAt: null })
    const next = await aPeck(asker, target, { action: 'read:b' })
    await mails()
    await mailAt(later(601))
    expect(linked(await mails()).sort()).toEqual([kept.peck_id, next.peck_id].sort())
  })
})

describe('a burst of requests', () => {
  it('is one mail, which leaves ten seconds after the first of them', async () => {
    moveClock(readClock())
    const begin = readClock()
    const agent = await anAgent(target)
    const pecks = []
    for (let index = 0; index < 9; index++) {
      pecks.push(await aPeck(agent, target, { action: `read:n${index}` }))
      moveClock(secondsAfter(readClock(), 1))
    }
    await drainOutbox()
    expect(
      messagesIn(config().dataDir)
        .filter(({ to }) => to === target.email)
        .filter(isAboutPecks),
    ).toEqual([])
    moveClock(secondsAfter(begin, 10))
    const sent = await mails()
    expect(sent).toHaveLength(1)
    expect(linked(sent).sort()).toEqual(pecks.map(({ peck_id }) => peck_id).sort())
  })
})

describe('a clock that was ahead', () => {
  it('delays no mail by more than its pause', async () => {
    const now = readClock()
    await aPeck(asker, target, { action: 'read:a' })
    await mails()
    await db().peckNotice.update({
      where: { ducklingId: target.id },
      data: { mailedAt: secondsAfter(now, 30 * day), strangersAt: secondsAfter(now, 30 * day) },
    })
    const { peck_id } = await aPeck(asker, target, { action: 'read:b' })
    expect(await nextMailAt()).toEqual(expect.any(Date))
    expect(Number(await nextMailAt())).toBeLessThanOrEqual(Number(later(601)))
    await mailAt(later(601))
    // The pause counts from the time of the attempt.
    await db().peckNotice.update({ where: { ducklingId: target.id }, data: { mailedAt: now } })
    await mailAt(later(601))
    expect(linked((await mails()).slice(1))).toEqual([peck_id])
    await db().peckNotice.update({
      where: { ducklingId: target.id },
      data: { strangersAt: secondsAfter(now, 30 * day) },
    })
    await aPeck(await aDuckling(), target)
    expect(Number((await noticeOf(target)).strangersAt)).toBeLessThanOrEqual(Number(later(day + minute)))
  })
})
