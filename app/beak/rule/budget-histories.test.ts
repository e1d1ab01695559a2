/** Budgets hold in every history: rules, limits and permissions change at random, and time passes. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Player } from '@/lib/fixtures/budget-histories'
import { histories, type Step } from '@/lib/fixtures/budget-model'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const play = (steps: readonly Step[]) => Player.play(steps, (to) => void vi.setSystemTime(to))

// security: asker-30
it('never allows more than a rule or the budget of an agent in random histories', async () => {
  let [given, used] = [0, 0]
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const played = await play(steps)
      given += played.given
      used += played.used
    }),
    { numRuns: Number(process.env.HISTORIES ?? 8), endOnFailure: process.env.SHRINK === undefined },
  )
  // The histories are not empty.
  expect(used).toBeGreaterThan(0)
  expect(given).toBeGreaterThan(used)
}, 600_000)
