import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { servingOptions } from '@/lib/db/postgres'
import { databaseUrl, describeOnPostgres } from '@/lib/fixtures/source-files'
import { statementsOf } from '@/lib/fixtures/statements'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type ClaimedRow, claimDue, claimSeconds, ownClaim, renewClaim } from './claim'
import { type Plan, watchDue } from './plan'
import { workOn } from './pool'
import { readLateQueues } from './queues'
import { longestWorkSeconds, renewSeconds } from './renew'

const empty = async () => void (await db().outbox.deleteMany())
beforeEach(empty)
afterEach(empty)

const row = (kind: OutboxKind, dueAt: Date) => ({ kind, payload: {}, dueAt, createdAt: dueAt })

/** Enqueues one notice and claims it. */
async function claimOne(now: Date): Promise<ClaimedRow> {
  await db().outbox.create({ data: row('notice', now) })
  const [claimed] = await claimDue(['notice'], 1, now)
  if (!claimed) throw new Error('nothing was claimed')
  return claimed
}

describe('a claim', () => {
  it('takes the rows that are due first, of the requested kinds', async () => {
    const now = readClock()
    const dueIn = (kind: OutboxKind, seconds: number) => row(kind, secondsAfter(now, seconds))
    await db().outbox.createMany({
      data: [
        dueIn('letter', -1),
        dueIn('notice', -3),
        dueIn('code', -9),
        dueIn('letter', -2),
        dueIn('notice', 1),
      ],
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
    const now = readClock()
    await db().outbox.createMany({ data: Array.from({ length: 40 }, () => row('notice', now)) })
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimDue(['notice', 'letter'], 4, now)))
    const ids = claims.flat().map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
    expect(claims.every((rows) => rows.length <= 4)).toBe(true)
  })

  it('expires 10 seconds after its last renewal', async () => {
    const now = readClock()
    const claimed = await claimOne(now)
    const renewedAt = secondsAfter(now, claimSeconds - 1)
    expect(await renewClaim(claimed, renewedAt)).toBe(true)
    const end = secondsAfter(renewedAt, claimSeconds)
    expect(await claimDue(['notice'], 1, secondsAfter(end, -0.001))).toEqual([])
    expect(await claimDue(['notice'], 1, end)).toMatchObject([{ id: claimed.id, attempts: 2 }])
  })

  it('cannot be renewed, and matches no row, after another worker has claimed the row', async () => {
    const now = readClock()
    const claimed = await claimOne(now)
    const [taken] = await claimDue(['notice'], 1, secondsAfter(now, claimSeconds))
    expect(await renewClaim(claimed, secondsAfter(now, claimSeconds))).toBe(false)
    expect(await db().outbox.count({ where: ownClaim(claimed) })).toBe(0)
    expect(await db().outbox.findUnique({ where: { id: claimed.id } })).toMatchObject({
      claimedUntil: taken?.claimedUntil,
    })
  })

  it('matches its row when the reply to a renewal was lost, whether or not the renewal took effect', async () => {
    const now = readClock()
    const claimed = await claimOne(now)
    const before = claimed.claimedUntil
    await renewClaim(claimed, secondsAfter(now, 3))
    // As after a lost reply: both ends are possible.
    claimed.earlierEnds = [before]
    expect(await db().outbox.count({ where: ownClaim(claimed) })).toBe(1)
    await db().outbox.updateMany({ data: { claimedUntil: before } })
    expect(await db().outbox.count({ where: ownClaim(claimed) })).toBe(1)
    expect(await renewClaim(claimed, secondsAfter(now, 6))).toBe(true)
    expect(claimed.earlierEnds).toEqual([])
  })

  it('does not match a claim that followed a postponed attempt with the same number', async () => {
    const now = readClock()
    const claimed = await claimOne(now)
    const later = secondsAfter(now, claimSeconds)
    const [second] = await claimDue(['notice'], 1, later)
    await db().outbox.updateMany({ data: { claimedUntil: null, attempts: 0 } })
    const [third] = await claimDue(['notice'], 1, later)
    expect([claimed.attempts, second?.attempts, third?.attempts]).toEqual([1, 2, 1])
    expect(await db().outbox.count({ where: ownClaim(claimed) })).toBe(0)
  })
})

describeOnPostgres('a claim among many due rows', () => {
  it.each([
    ['claiming', () => claimDue(['notice'], 4, readClock())],
    ['reading which queues are late', () => readLateQueues(readClock())],
    ['looking for the next row', () => watchDue([{ kinds: ['notice'], turn: () => undefined }]).stop()],
  ])('sorts none of them while %s', async (_, work) => {
    const texts = await statementsOf(work)
    const text = texts.find((one) => one.includes('wanted.')) ?? ''
    // Sorts are in the plan only where no index has the order, whatever the statistics of the small table are.
    const options = `${servingOptions} -c enable_sort=off -c enable_bitmapscan=off`
    const client = new Client({ connectionString: databaseUrl ?? '', options })
    await client.connect()
    try {
      const parameters = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
      const nulls = Array.from({ length: Math.max(...parameters) }, () => 'NULL').join()
      await client.query(`PREPARE claim AS ${text}`)
      const { rows } = await client.query(`EXPLAIN EXECUTE claim(${nulls})`)
      const plan = rows.map((row) => Object.values(row).join()).join('\n')
      expect(plan).toContain('Outbox_kind_failedAt_dueAt_idx')
      expect(plan).not.toMatch(/Sort Key:.*"Outbox.*"dueAt"/)
    } finally {
      await client.end()
    }
  })
})

/** Starts work on a claimed row that ends when `end` is called. The test moves the clock. */
async function startWork(giveUp?: () => Promise<void>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let ends = { end: () => {}, fail: () => {} }
  const promise = new Promise<void>((resolve, reject) => {
    ends = { end: resolve, fail: () => reject(new Error('it failed')) }
  })
  const claimed = await claimOne(readClock())
  const jobs: Plan['jobs'] = { notice: { run: () => promise, retries: [], ...(giveUp ? { giveUp } : {}) } }
  return { claimed, work: workOn(jobs, claimed), ...ends }
}

/** Moves the clock in steps of one renewal, and waits until each renewal has ended. */
async function pass(seconds: number, claimed: ClaimedRow): Promise<void> {
  for (let passed = 0; passed < seconds; passed += renewSeconds) {
    await vi.advanceTimersByTimeAsync(renewSeconds * 1000)
    const end = Number(secondsAfter(readClock(), claimSeconds))
    // Not by the row: another connection sees the renewal before this process has the reply, and the next one would be left out.
    // Not by `expect.poll`, which moves a fake clock.
    const isRenewed = () => Number(claimed.claimedUntil) === end && claimed.earlierEnds?.length === 0
    while (!isRenewed()) await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
}

describe('a worker', () => {
  it('keeps the claim of slow work, and removes the row afterwards', async () => {
    const { claimed, work, end } = await startWork()
    await pass(6 * claimSeconds, claimed)
    expect(await claimDue(['notice'], 1, readClock())).toEqual([])
    end()
    await work
    expect(await db().outbox.count()).toBe(0)
  })

  it('writes no outcome when another worker has claimed the row', async () => {
    const giveUp = vi.fn(async () => undefined)
    for (const how of ['end', 'fail'] as const) {
      const { claimed, work, ...ends } = await startWork(giveUp)
      // The process was stopped: its timers did not run, and its claim expired.
      const [taken] = await claimDue(['notice'], 1, secondsAfter(readClock(), claimSeconds))
      ends[how]()
      await work
      expect(await db().outbox.findMany()).toMatchObject([
        { id: claimed.id, attempts: 2, claimedUntil: taken?.claimedUntil, failedAt: null, lastError: null },
      ])
      await empty()
    }
    expect(giveUp).not.toHaveBeenCalled()
  })

  it('loses the claim of work that never ends', async () => {
    const { claimed, work, end } = await startWork()
    await pass(longestWorkSeconds, claimed)
    await vi.advanceTimersByTimeAsync(claimSeconds * 1000)
    expect(await claimDue(['notice'], 1, readClock())).toMatchObject([{ id: claimed.id, attempts: 2 }])
    end()
    await work
    expect(await db().outbox.count()).toBe(1)
  })
})
