import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { statementsOf } from '@/lib/fixtures/statements'
import { claimAtInsert, handOver, onHandedOver } from '@/lib/infrastructure/events/handover'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { claimDue, claimSeconds } from './claim'
import type { Loop } from './loop'
import { allEnded, startPool } from './pool'

// Other tests leave rows behind.
beforeEach(async () => void (await db().outbox.deleteMany()))

it('throws the first error only after every work has ended', async () => {
  const ended: string[] = []
  let end: () => void = () => undefined
  const slow = new Promise<void>((resolve) => (end = resolve)).then(() => void ended.push('slow'))
  const all = allEnded([Promise.reject(new Error('lost')), slow]).catch((error: Error) => {
    ended.push(error.message)
  })
  await setImmediate()
  expect(ended).toEqual([])
  end()
  await all
  expect(ended).toEqual(['slow', 'lost'])
})

/** Runs a pool of two places until it has done `rows` rows. Returns the number of its claims. */
async function claimsFor(rows: number): Promise<number> {
  const now = readClock()
  const row = { kind: 'support', payload: {}, dueAt: now, createdAt: now }
  await db().outbox.createMany({ data: Array.from({ length: rows }, () => row) })
  let done = 0
  const statements = await statementsOf(async () => {
    const run = async () => void done++
    const pool = startPool(
      { support: { run, retries: [] } },
      { name: 'support', kinds: ['support'], places: 2 },
      () => undefined,
    )
    await expect.poll(() => db().outbox.count({ where: { kind: 'support' } })).toBe(0)
    await setImmediate()
    await pool.stop()
  })
  expect(done).toBe(rows)
  return statements.filter((text) => text.includes('FOR UPDATE SKIP LOCKED')).length
}

it('does all rows although there are more than places', async () => {
  expect(await claimsFor(5)).toBeGreaterThan(2)
})

it('does not claim again after a claim that left a place free', async () => {
  expect(await claimsFor(1)).toBe(1)
})

describe('a row that is claimed when it is inserted', () => {
  /** Runs `work` beside a pool with one place. Its jobs end when `work` is over. Returns how many began, and the statements. */
  async function besidePool(work: (pool: Loop) => Promise<void>): Promise<{ begun: number; claims: number }> {
    let [begun, end] = [0, () => {}]
    const ended = new Promise<void>((resolve) => (end = resolve))
    const run = () => {
      begun++
      return ended
    }
    const pool = startPool(
      { text_code: { run, retries: [] } },
      { name: 'text codes', kinds: ['text_code'], places: 1 },
      () => undefined,
    )
    await pool.turn()
    const statements = await statementsOf(async () => {
      await work(pool)
      end()
      await pool.stop()
    })
    return { begun, claims: statements.filter((text) => text.includes('FOR UPDATE SKIP LOCKED')).length }
  }

  /** Inserts rows as a command does, and returns their claim. */
  async function insert(now = readClock(), { attempts = 1, count = 1, afterwards = async () => {} } = {}) {
    return transaction(async (tx) => {
      const claim = claimAtInsert('text_code', now)
      const inserted = await tx.rows<{ id: bigint }>`
        INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "claimedUntil", "attempts")
        SELECT 'text_code', '{}'::jsonb, ${now}::timestamptz, ${now}::timestamptz, ${claim?.claimedUntil ?? null}::timestamptz, ${attempts}::int
        FROM generate_series(1, ${count}::int) RETURNING "id"`
      if (claim !== null)
        for (const { id } of inserted) handOver(tx, { id, kind: 'text_code', payload: {}, ...claim })
      await afterwards()
      return claim
    })
  }
  const rows = () => db().outbox.findMany({ where: { kind: 'text_code' } })

  it('is worked on and deleted without another claim', async () => {
    const { begun, claims } = await besidePool(async () => void expect(await insert()).not.toBeNull())
    expect([begun, claims, await rows()]).toEqual([1, 0, []])
  })

  it('is not handed over when its transaction is rolled back', async () => {
    const rollBack = () => insert(readClock(), { afterwards: () => Promise.reject(new Error('rolled back')) })
    const { begun } = await besidePool(() => expect(rollBack()).rejects.toThrow('rolled back'))
    expect([begun, await rows()]).toEqual([0, []])
  })

  it('gets no claim while all places of the pool are taken, or without a pool', async () => {
    const { begun } = await besidePool(async () => {
      await insert()
      await setImmediate()
      expect(claimAtInsert('text_code', readClock())).toBeNull()
    })
    expect(begun).toBe(1)
    expect(claimAtInsert('text_code', readClock())).toBeNull()
  })

  it('may exceed the places of the pool, which claims nothing meanwhile', async () => {
    const { begun, claims } = await besidePool(async ({ turn }) => {
      await insert(readClock(), { count: 2 })
      await turn()
    })
    expect([begun, claims, await rows()]).toEqual([2, 0, []])
  })

  it('is released at once when the worker stopped before the commit', async () => {
    await besidePool(async ({ stop }) => void (await insert(readClock(), { afterwards: stop })))
    await expect.poll(rows, { timeout: 10_000 }).toMatchObject([{ attempts: 0, claimedUntil: null }])
    await db().outbox.deleteMany({ where: { kind: 'text_code' } })
  })

  it('is claimed again by others when its process died after the commit', async () => {
    const now = readClock()
    const claim = (from: Date) => secondsAfter(from, claimSeconds)
    const remove = onHandedOver(['text_code'], { claim, receive: () => undefined })
    await insert(now)
    remove()
    expect(await claimDue(['text_code'], 1, now)).toEqual([])
    expect(await claimDue(['text_code'], 1, claim(now))).toMatchObject([{ attempts: 2 }])
  })

  it.each([
    ['is worked on when its transaction took as long as its claim and nobody has claimed it since', 1],
    ['is left to the process that has claimed it since', 2],
  ])('%s', async (_title, attempts) => {
    const begin = secondsAfter(readClock(), -claimSeconds)
    const { begun } = await besidePool(async () => void (await insert(begin, { attempts })))
    expect(begun).toBe(attempts === 1 ? 1 : 0)
    await db().outbox.deleteMany({ where: { kind: 'text_code' } })
  })
})
