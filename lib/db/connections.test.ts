import { expect, it, vi } from 'vitest'
import { database, db } from './client'

const numbers = Array.from({ length: 20 }, (_, index) => index)

it('lends a connection once for eight simultaneous statements', async () => {
  const lent = vi.spyOn(database().pool, 'connect')
  try {
    const read = numbers.map((number) => db().rows<{ number: number }>`SELECT ${number}::int AS "number"`)
    expect((await Promise.all(read)).flat()).toEqual(numbers.map((number) => ({ number })))
    expect(lent).toHaveBeenCalledTimes(3)
  } finally {
    lent.mockRestore()
  }
})

it('answers every statement beside one that fails', async () => {
  const outcomes = await Promise.allSettled(
    numbers.map((number) => db().rows<{ share: number }>`SELECT 12 / ${number % 4}::int AS "share"`),
  )
  const shares = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value[0]?.share : outcome.reason.code,
  )
  const divisionByZero = '22012'
  expect(shares).toEqual(numbers.map((number) => [divisionByZero, 12, 6, 4][number % 4]))
})

it('is not part of a transaction: what one statement writes stays after another one fails', async () => {
  const name = 'connections.test'
  const outcomes = await Promise.allSettled([
    db().rows`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name}, 1) RETURNING 1`,
    db().rows`SELECT 1 / ${0}::int`,
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect((await db().metricDelta.deleteMany({ where: { name } })).count).toBe(1)
})
