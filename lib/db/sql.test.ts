import { types } from 'pg'
import { describe, expect, it } from 'vitest'
import { fail } from '@/lib/kernel/request/failures'
import { db, Prisma } from './client'
import { columnTypes, sql } from './sql'
import { beforeCommit, flush, onCommit, required, transaction } from './transaction'

const name = (text: string) => `sql.test ${text}`
const insert = (text: string) => sql`INSERT INTO "MetricDelta" ("name", "delta") VALUES (${name(text)}, 1)`
const count = async (text: string) => db().metricDelta.count({ where: { name: name(text) } })

describe('a statement', () => {
  it('sends every value as a parameter', async () => {
    const [row] = await db().rows<{ text: string }>`SELECT ${`'; DROP TABLE "Duckling"; --`}::text AS "text"`
    expect(row).toEqual({ text: `'; DROP TABLE "Duckling"; --` })
  })

  it('reads columns as Prisma does', async () => {
    const at = new Date('2026-11-22T06:00:00.123Z')
    const [row] = await db().rows`
      SELECT ${at}::timestamptz AS "instant", '2026-11-22'::date AS "day", 5::bigint AS "big", 7 AS "small", '\\x00ff'::bytea AS "bytes",
        '{"a": [1]}'::jsonb AS "json", ARRAY['x', 'y'] AS "texts", NULL::timestamptz AS "none", 'T1'::"Tier" AS "tier"`
    expect(row).toEqual({
      instant: at,
      day: new Date('2026-11-22T00:00:00Z'),
      big: 5n,
      small: 7,
      bytes: new Uint8Array([0, 255]),
      json: { a: [1] },
      texts: ['x', 'y'],
      none: null,
      tier: 'T1',
    })
  })

  it('takes dates, bytes and lists of them', async () => {
    const [row] = await db().rows`
      SELECT ${[new Date(0), new Date(1)]}::timestamptz[] = ARRAY['1970-01-01 00:00:00Z', '1970-01-01 00:00:00.001Z']::timestamptz[] AS "dates",
        ${new Uint8Array([1, 2])}::bytea = '\\x0102' AS "bytes"`
    expect(row).toEqual({ dates: true, bytes: true })
  })

  it('contains fragments, also nested ones and raw names', async () => {
    const inner = sql`${2}::int + ${3}::int`
    const [row] = await db()
      .rows`SELECT ${sql`(${inner}) * ${Prisma.raw('10')}`} AS "sum", ${'end'}::text AS "end"`
    expect(row).toEqual({ sum: 50, end: 'end' })
  })

  it('is prepared once for its connection', async () => {
    const prepared = await transaction(async (tx) => {
      for (let value = 0; value < 3; value++) await tx.rows`SELECT ${value}::int AS "prepared once"`
      return tx.rows`SELECT 1 FROM pg_prepared_statements WHERE statement LIKE ${'%"prepared once"'}`
    })
    expect(prepared).toHaveLength(1)
  })
})

describe('a transaction', () => {
  it('is rolled back with everything that was collected when a failure is thrown', async () => {
    const failing = transaction(async (tx) => {
      beforeCommit(tx, insert('thrown'))
      await tx.metricDelta.create({ data: { name: name('thrown'), delta: 1 } })
      throw fail('path_not_found')
    })
    await expect(failing).rejects.toMatchObject({ failure: 'path_not_found' })
    expect(await count('thrown')).toBe(0)
  })

  it('is committed when a failure is returned', async () => {
    const failing = transaction(async (tx) => {
      beforeCommit(tx, insert('returned'))
      return fail('path_not_found')
    })
    await expect(failing).rejects.toMatchObject({ failure: 'path_not_found' })
    expect(await count('returned')).toBe(1)
  })

  it('shows its own changes to models and statements alike', async () => {
    const counts = await transaction(async (tx) => {
      await tx.run`${insert('seen')}`
      await tx.metricDelta.create({ data: { name: name('seen'), delta: 1 } })
      const [row] = await tx.rows<{ count: number }>`
        SELECT count(*)::int AS "count" FROM "MetricDelta" WHERE "name" = ${name('seen')}`
      return [row?.count, await tx.metricDelta.count({ where: { name: name('seen') } })]
    })
    expect(counts).toEqual([2, 2])
  })

  it('runs collected statements last, in order, and effects only after the commit', async () => {
    const order: string[] = []
    await transaction(async (tx) => {
      onCommit(tx, () => order.push('effect'))
      beforeCommit(tx, insert('last'), { changed: (rows) => order.push(`collected ${rows}`) })
      beforeCommit(tx, sql`UPDATE "MetricDelta" SET "delta" = 2 WHERE "name" = ${name('last')}`, {
        changed: (rows) => order.push(`second ${rows}`),
      })
      order.push(`work ${(await tx.rows`SELECT 1 FROM "MetricDelta" WHERE "name" = ${name('last')}`).length}`)
    })
    expect(order).toEqual(['work 0', 'collected 1', 'second 1', 'effect'])
  })

  it.each([
    ['false', sql`${1}::int > 2`],
    ['NULL', sql`${null}::boolean`],
  ])('is rolled back when a required condition of a collected statement is %s', async (_, condition) => {
    const effects: string[] = []
    const refused = transaction(async (tx) => {
      onCommit(tx, () => effects.push('effect'))
      beforeCommit(tx, insert('refused'))
      beforeCommit(tx, sql`SELECT ${required(condition, 'one is more than two')}`, {
        refused: () => fail('session_invalid'),
      })
    })
    await expect(refused).rejects.toMatchObject({ failure: 'session_invalid' })
    expect([await count('refused'), effects]).toEqual([0, []])
  })

  it('is committed when every required condition is met', async () => {
    await transaction(async (tx) => {
      beforeCommit(tx, insert('met'))
      beforeCommit(tx, sql`SELECT ${required(sql`${3}::int > 2`, 'three is more than two')}`)
    })
    expect(await count('met')).toBe(1)
  })

  it('names the rule that was not met when its command has no failure for it', async () => {
    const broken = transaction(async (tx) =>
      beforeCommit(tx, sql`SELECT ${required(sql`false`, `it's "quoted"; 100 %`)}`),
    )
    await expect(broken).rejects.toThrow(`The transaction was rolled back: it's "quoted"; 100 %.`)
  })

  it('does not call another error a condition that was not met', async () => {
    const broken = transaction(async (tx) =>
      beforeCommit(tx, sql`SELECT 1 / ${0}::int`, { refused: () => fail('session_invalid') }),
    )
    await expect(broken).rejects.toMatchObject({ code: '22012' })
  })

  it('throws the error of a collected statement, and its connection works afterwards', async () => {
    const broken = transaction(async (tx) => {
      beforeCommit(tx, insert('broken'))
      beforeCommit(tx, sql`SELECT ${'x'}::text::int`)
      beforeCommit(tx, insert('broken'))
    })
    await expect(broken).rejects.toMatchObject({ code: '22P02' })
    expect(await count('broken')).toBe(0)
    await transaction(async (tx) => beforeCommit(tx, insert('broken')))
    expect(await count('broken')).toBe(1)
  })

  it('shows what was collected after a flush, and sends it once', async () => {
    const seen = await transaction(async (tx) => {
      beforeCommit(tx, insert('flushed'))
      await flush(tx)
      return tx.metricDelta.count({ where: { name: name('flushed') } })
    })
    expect([seen, await count('flushed')]).toEqual([1, 1])
  })

  it('refuses db() inside, which would wait for the transaction', async () => {
    await expect(transaction(async () => db().metricDelta.count())).rejects.toThrow('use its tx')
  })
})

const parseTime = columnTypes.getTypeParser(types.builtins.TIMESTAMPTZ)

it.each([
  ['2026-11-22 06:00:00+00', '2026-11-22T06:00:00.000Z'],
  ['2026-11-22 23:59:59.9+00', '2026-11-22T23:59:59.900Z'],
  ['2026-11-22 06:07:08.12+00', '2026-11-22T06:07:08.120Z'],
  ['2026-11-22 06:07:08.001+00', '2026-11-22T06:07:08.001Z'],
  ['2028-02-29 06:07:08.123999+00', '2028-02-29T06:07:08.123Z'],
  ['1969-12-31 23:59:59.999+00', '1969-12-31T23:59:59.999Z'],
])('reads %s', (text, expected) => {
  expect(parseTime(text)).toEqual(new Date(expected))
})

it('returns an invalid date for a text that is no time', () => {
  expect(parseTime('infinity').getTime()).toBeNaN()
})
