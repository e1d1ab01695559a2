import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { databaseOn, db } from '@/lib/db/client'
import { noteDiskError, noteReadOnly } from '@/lib/db/full-disk'
import { servingPool } from '@/lib/db/postgres'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { checkStatus, recordStatus } from './check-status'

/** Days that no other test uses. */
const noon = new Date('2042-05-10T12:00:00.000Z')
const at = (minutes: number) => secondsAfter(noon, minutes * minute)
const database = singleton<object | null>('database', () => null)

function serveFrom(holder: object | null): void {
  forget('database')
  singleton('database', () => holder)
}

/** Uses a database that refuses connections. */
function stopDatabase(): void {
  const opened = databaseOn(servingPool('postgres://nobody@127.0.0.1:1/none'))
  serveFrom({ opened, opening: Promise.resolve(opened) })
}

/** Forgets what this process remembers, like a worker that starts. */
const asAnotherWorker = () => forget('status.down-since')

beforeEach(async () => {
  asAnotherWorker()
  await db().run`DELETE FROM "StatusDay"`
  await db().run`DELETE FROM "Incident"`
  await db().run`DELETE FROM "Outbox"`
  await db().run`DELETE FROM "WebhookQueue"`
})
afterEach(() => serveFrom(database))

/** Checks as the worker does. The work of the outbox is cached for a second. */
async function check(minutes: number): Promise<void> {
  forget('cached.work')
  await recordStatus(at(minutes))
}

const samples = async () =>
  db().rows<{ day: string; samples: number }>`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", "samples" FROM "StatusDay" ORDER BY "StatusDay"."day"`

const incidents = () =>
  db().incident.findMany({
    orderBy: { startedAt: 'asc' },
    select: { component: true, condition: true, startedAt: true, endedAt: true, byOperator: true },
  })

/** Makes mails late, as when the worker has stopped. */
const delayMail = () =>
  db().outbox.create({ data: { kind: 'test', payload: {}, dueAt: at(-10), createdAt: at(-10) } })

describe('recordStatus', () => {
  it('counts a sample when the status was read before the first check of the worker', async () => {
    await checkStatus(noon)
    await recordStatus(noon)
    expect(await samples()).toEqual([{ day: '2042-05-10', samples: 1 }])
  })

  it('counts one sample a minute, however many workers check at once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => recordStatus(noon)))
    expect(await samples()).toEqual([{ day: '2042-05-10', samples: 1 }])
    await check(0.5)
    await check(1)
    expect(await samples()).toEqual([{ day: '2042-05-10', samples: 2 }])
    await check(12 * 60)
    expect(await samples()).toHaveLength(2)
    expect(await incidents()).toEqual([])
  })

  it('keeps one incident from the first bad sample to the first good one', async () => {
    await check(0)
    await delayMail()
    for (const minutes of [1, 2, 3]) await check(minutes)
    await db().run`DELETE FROM "Outbox"`
    for (const minutes of [4, 5]) await check(minutes)
    expect(await incidents()).toEqual([
      { component: 'outbox', condition: 'degraded', byOperator: false, startedAt: at(1), endedAt: at(4) },
    ])
  })

  it('opens another incident when a component fails again', async () => {
    for (const minutes of [0, 10]) {
      await delayMail()
      await check(minutes)
      await db().run`DELETE FROM "Outbox"`
      await check(minutes + 1)
    }
    expect((await incidents()).map(({ endedAt }) => endedAt)).toEqual([at(1), at(11)])
  })

  it('does not end an incident of the operator', async () => {
    await db().incident.create({
      data: { id: 'INC-1', component: 'outbox', condition: 'degraded', byOperator: true, startedAt: noon },
    })
    await check(1)
    expect((await incidents())[0]?.endedAt).toBeNull()
  })

  it('records an outage of the database when it is back, from the first failed check on', async () => {
    await check(0)
    stopDatabase()
    for (const minutes of [1, 2, 3]) await check(minutes)
    serveFrom(database)
    expect(await incidents()).toEqual([])
    for (const minutes of [4, 5]) await check(minutes)
    expect(await incidents()).toEqual([
      { component: 'database', condition: 'outage', byOperator: false, startedAt: at(1), endedAt: at(4) },
    ])
  })

  it('records one outage, the longest span, when several workers noticed it', async () => {
    await check(0)
    const spans = [
      [1, 4],
      [0.5, 4.5],
      [2, 3.9],
    ] as const
    for (const [since, until] of spans) {
      asAnotherWorker()
      stopDatabase()
      await check(since)
      serveFrom(database)
      await check(until)
    }
    expect(await incidents()).toEqual([
      { component: 'database', condition: 'outage', byOperator: false, startedAt: at(0.5), endedAt: at(4.5) },
    ])
  })

  it('records no outage while a worker and its database start together', async () => {
    stopDatabase()
    await check(0)
    serveFrom(database)
    await check(1 / 3)
    expect(await incidents()).toEqual([])
    // The worker has seen the database work: now the same time is an outage.
    stopDatabase()
    await check(2)
    serveFrom(database)
    await check(2 + 1 / 3)
    expect((await incidents()).map(({ startedAt }) => startedAt)).toEqual([at(2)])
  })

  it('records an outage at the start that lasts longer than a start', async () => {
    stopDatabase()
    await check(0)
    serveFrom(database)
    await check(1)
    expect((await incidents()).map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [at(0), at(1)],
    ])
  })

  it('records two outages that are far apart as two', async () => {
    await check(0)
    for (const since of [1, 30]) {
      stopDatabase()
      await check(since)
      serveFrom(database)
      await check(since + 2)
    }
    expect((await incidents()).map(({ startedAt }) => startedAt)).toEqual([at(1), at(30)])
  })
})

describe('a full disk of the database', () => {
  beforeEach(() => forget('disk'))
  afterEach(() => forget('disk'))

  it('is an outage of the database that says why, until there is space', async () => {
    const full = Object.assign(new Error('could not extend file'), { code: '53100' })
    noteDiskError(Object.assign(new Error('canceled'), { code: '57014' }))
    expect((await checkStatus(noon)).components[0]).toEqual({ name: 'database', status: 'operational' })
    noteDiskError(full)
    expect(await checkStatus(noon)).toMatchObject({
      status: 'outage',
      components: expect.arrayContaining([{ name: 'database', status: 'outage', reason: 'disk_full' }]),
    })
    expect((await call('GET /readyz')).status).toBe(503)
    noteReadOnly(false)
    expect((await checkStatus(noon)).components[0]).toEqual({ name: 'database', status: 'operational' })
  })
})
