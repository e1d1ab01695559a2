/** What `prisma.ts` assumes about Prisma. An upgrade that changes it fails here first. */
import { expect, it } from 'vitest'
import { statementsOf } from '@/lib/fixtures/statements'
import { database, db } from './client'
import { transaction } from './transaction'

const name = (test: string) => `prisma.test ${test}`
const words = (statements: string[]) => statements.map((text) => text.trim().split(/\s/)[0])

it('sends the statements of models inside our transaction, without a BEGIN or COMMIT of its own', async () => {
  const row = { name: name('joined'), delta: 1 }
  const sent = await statementsOf(() =>
    transaction(async (tx) => {
      await tx.metricDelta.create({ data: row })
      await tx.run`DELETE FROM "MetricDelta" WHERE "name" = ${row.name}`
      await tx.metricDelta.count({ where: { name: row.name } })
    }),
  )
  expect(
    words(sent),
    'Prisma ends a joined transaction in another way: see `usePhantomQuery` in lib/db/prisma.ts',
  ).toEqual(['BEGIN', 'INSERT', 'DELETE', 'SELECT', 'COMMIT'])
})

it('sends a model inside the transaction when its promise is the result of the work', async () => {
  const sent = await statementsOf(() => transaction((tx) => tx.metricDelta.count()))
  expect(words(sent)).toEqual(['BEGIN', 'SELECT', 'COMMIT'])
})

it('rejects a model of a transaction that has ended', async () => {
  const ended = await transaction(async (tx) => ({ tx }))
  await expect(ended.tx.metricDelta.count()).rejects.toThrow('only inside a transaction')
})

it('joins the transaction of each of several simultaneous commands', async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => index)
  const outcomes = await Promise.allSettled(
    numbers.map((number) =>
      transaction(async (tx) => {
        await tx.metricDelta.create({ data: { name: name('each'), delta: number } })
        const seen = await tx.rows<{ sum: number }>`
          SELECT sum("delta")::int AS "sum" FROM "MetricDelta" WHERE "name" = ${name('each')} AND "delta" = ${number}::int`
        expect(seen, 'a model wrote outside the transaction of its command').toEqual([{ sum: number }])
        if (number % 2 === 1) throw new Error('rolled back')
      }),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(
    numbers.map((number) => (number % 2 === 1 ? 'rejected' : 'fulfilled')),
  )
  const kept = await db().metricDelta.findMany({ where: { name: name('each') }, orderBy: { delta: 'asc' } })
  expect(kept.map(({ delta }) => Number(delta))).toEqual([0, 2, 4, 6])
  await db().metricDelta.deleteMany({ where: { name: name('each') } })
})

it('reports an error of a model as Prisma does, and rolls back what SQL wrote before', async () => {
  const failing = transaction(async (tx) => {
    await tx.run`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name('error')}, 1)`
    await tx.duckling.update({ where: { id: 'DUCK-NONE' }, data: { bio: 'Nobody' } })
  })
  await expect(failing).rejects.toMatchObject({ code: 'P2025' })
  expect(await db().metricDelta.count({ where: { name: name('error') } })).toBe(0)
})

it('begins and ends a transaction of its own outside ours', async () => {
  const { prisma } = database()
  const sent = await statementsOf(() => prisma.$transaction((models) => models.metricDelta.count()))
  expect(words(sent)).toEqual(['BEGIN', 'SELECT', 'COMMIT'])
})
