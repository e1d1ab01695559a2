import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { statementsOf } from '@/lib/fixtures/statements'
import { readClock } from '@/lib/kernel/clock'
import { allEnded, startLane } from './lane'

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

/** Runs a lane of two places until it has done `rows` rows. Returns the number of its claims. */
async function claimsFor(rows: number): Promise<number> {
  const now = readClock()
  const row = { kind: 'support', payload: {}, dueAt: now, createdAt: now }
  await db().outbox.createMany({ data: Array.from({ length: rows }, () => row) })
  let done = 0
  const statements = await statementsOf(async () => {
    const run = async () => void done++
    const lane = startLane(
      { support: { run, retries: [] } },
      { name: 'support', kinds: ['support'], places: 2 },
      () => undefined,
    )
    await expect.poll(() => db().outbox.count({ where: { kind: 'support' } })).toBe(0)
    await setImmediate()
    await lane.stop()
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
