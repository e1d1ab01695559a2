/** An idle instance leaves its database alone. Counts statements and not time: what each step sends, times how often it runs. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { statementsOf } from '@/lib/fixtures/statements'
import { beatMs } from '@/lib/infrastructure/events/exchange'
import { onChoresChanged, wakeChores } from '@/lib/infrastructure/events/outbox'
import { type DueChore, sleepSeconds, watchDue } from '@/lib/infrastructure/worker/plan'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { makePlan } from './jobs'

const empty = async () => void (await db().outbox.deleteMany())
beforeEach(empty)
afterEach(empty)

const { pools, chores } = makePlan()
const dueChores = chores.flatMap(({ due, everySeconds }) =>
  due === undefined ? [] : [{ due, everySeconds, turn: () => undefined }],
)

/** A chore whose work is a row of the outbox that no pool knows. `turns` counts its runs. */
function aChore(): DueChore & { turns: number } {
  const chore = {
    everySeconds: 1,
    due: sql`SELECT "dueAt" FROM "Outbox" WHERE "kind" = 'support' ORDER BY "dueAt" LIMIT 1`,
    turns: 0,
    turn: () => void chore.turns++,
  }
  return chore
}

const addWork = (dueAt: Date) =>
  db().outbox.create({ data: { kind: 'support', payload: {}, dueAt, createdAt: dueAt } })

it('asks once for all pools and all chores', async () => {
  const statements = await statementsOf(async () => {
    const due = watchDue(
      pools.map(({ kinds }) => ({ kinds, turn: () => undefined })),
      dueChores,
    )
    for (let turn = 0; turn < 10; turn++) await due.turn()
    await due.stop()
  })
  expect(dueChores.length).toBeGreaterThan(5)
  // A clock that is in doubt is measured, whatever is due.
  const asked = statements.filter((text) => !text.includes('clock_timestamp'))
  expect(asked.length).toBeLessThanOrEqual(11)
})

it('causes, with a second one like it, less than four transactions a second while there is nothing to do', async () => {
  const instances = 2
  // A notification is a transaction of its sender and one of each listener.
  const beats = ((1 + instances) * 1000) / beatMs
  let perSecond = 1 / sleepSeconds + beats
  for (const { run, everySeconds } of chores.filter(({ due }) => due === undefined)) {
    // What other tests left is done with the first run.
    await run(readClock())
    perSecond += (await statementsOf(() => run(readClock()))).length / everySeconds
  }
  expect(instances * perSecond).toBeLessThan(4)
})

it('runs a chore when its work is due, and not while it has none', async () => {
  const [chore, now] = [aChore(), readClock()]
  const due = watchDue([], [chore])
  onTestFinished(() => due.stop())
  await due.turn()
  await addWork(secondsAfter(now, 3600))
  await due.turn()
  expect(chore.turns).toBe(0)
  await addWork(now)
  await due.turn()
  expect(chore.turns).toBe(1)
  // It has just run.
  await due.turn()
  expect(chore.turns).toBe(1)
})

it('looks at once after a transaction with work that is due soon', async () => {
  const chore = aChore()
  const due = watchDue([], [chore])
  onTestFinished(() => due.stop())
  await due.turn()
  await addWork(readClock())
  expect(chore.turns).toBe(0)
  await transaction(async (tx) => wakeChores(tx))
  await expect.poll(() => chore.turns).toBe(1)
})

it('finds work whose signal was lost after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const chore = aChore()
  const due = watchDue([], [chore])
  onTestFinished(() => due.stop())
  await due.turn()
  await addWork(readClock())
  vi.advanceTimersByTime(sleepSeconds * 1000 - 1)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  vi.advanceTimersByTime(1)
  while (chore.turns === 0) await new Promise(setImmediate)
  expect(chore.turns).toBe(1)
})

it('is woken by a rejection that can be undone, which takes effect in a few seconds', async () => {
  const [asker, target] = [await aDuckling(), await aDuckling()]
  const { peck_id } = await aPeck(asker, target)
  let wakes = 0
  onTestFinished(onChoresChanged(() => void wakes++))
  const body = { peck_id, reason: 'Not mine', undo_seconds: 2 }
  expect((await call('POST /beak/peck/reject', { token: target.token, body })).status).toBe(200)
  expect(wakes).toBe(1)
})
