import type { PoolClient } from 'pg'
import { expect, it, vi } from 'vitest'
import { database, db } from './client'
import { onConnection } from './connections'
import { execute } from './prepared-query'
import { columnTypes } from './sql'
import { transaction } from './transaction'

const onOne = <T>(work: (client: PoolClient) => Promise<T>) => onConnection(database().pool, work)

let statements = 0

/** Returns a statement that no connection knows yet. */
function newStatement(text: string, values: unknown[] = []) {
  const name = `prepared-query.test ${statements++}`
  return { name, text: `${text} /* ${name} */`, values }
}

it('reads the rows of executions that are sent without waiting for each other', async () => {
  const statement = newStatement('SELECT n AS "n" FROM generate_series(1, $1::int) n', [2])
  const answers = await onOne((client) =>
    Promise.all(Array.from({ length: 20 }, () => execute(client, statement))),
  )
  expect(answers).toMatchObject(Array(20).fill({ rows: [{ n: 1 }, { n: 2 }], rowCount: 2 }))
})

it('returns the number of changed rows, and no rows of a statement without columns', async () => {
  const name = 'prepared-query.test rows'
  const insert = newStatement(
    'INSERT INTO "MetricDelta" ("name", "delta") SELECT $1, n FROM generate_series(1, 3) n',
    [name],
  )
  const remove = newStatement('DELETE FROM "MetricDelta" WHERE "name" = $1', [name])
  const answers = await onOne(async (client) => {
    const both = []
    for (const statement of [insert, remove, insert, remove]) both.push(await execute(client, statement))
    return both
  })
  expect(answers).toMatchObject(Array(4).fill({ rows: [], rowCount: 3 }))
})

it('rejects when the columns of a statement have changed', async () => {
  const changed = transaction(async (tx) => {
    await tx.run`CREATE TEMPORARY TABLE prepared_query_test ON COMMIT DROP AS SELECT 1 AS "first", 2 AS "second"`
    const rows = () => tx.rows`SELECT * FROM prepared_query_test`
    expect(await rows()).toEqual([{ first: 1, second: 2 }])
    await tx.run`ALTER TABLE prepared_query_test DROP COLUMN "first"`
    await rows()
  })
  await expect(changed).rejects.toThrow('cached plan must not change result type')
})

it('reads a statement that the next server behind PgBouncer has prepared with other columns', async () => {
  const statement = newStatement('SELECT 1 AS "first"')
  await onOne(async (client) => {
    expect((await execute(client, statement)).rows).toEqual([{ first: 1 }])
    // As on a server that prepared it after a migration.
    await client.query(`DEALLOCATE "${statement.name}"`)
    await client.query(`PREPARE "${statement.name}" AS SELECT 2 AS "second", 1 AS "first"`)
    expect((await execute(client, statement)).rows).toEqual([{ first: 1, second: 2 }])
  })
})

it('rejects when a value cannot be parsed, and runs the next statement', async () => {
  const unreadable = vi.spyOn(columnTypes, 'getTypeParser').mockImplementation(() => () => {
    throw new Error('unreadable')
  })
  const [first, second] = [newStatement('SELECT 1 AS "n"'), newStatement('SELECT 2 AS "n"')]
  await onOne(async (client) => {
    const failed = execute(client, first)
    await expect(failed).rejects.toThrow('unreadable')
    unreadable.mockRestore()
    expect((await execute(client, second)).rows).toEqual([{ n: 2 }])
  })
})

it('names the caller in the stack of an error', async () => {
  const failed = async () => db().rows`SELECT 1 / ${0}::int AS "share"`
  const error = (await failed().catch((thrown: unknown) => thrown)) as Error
  expect(error).toMatchObject({ code: '22012' })
  expect(error.stack).toContain('prepared-query.test.ts')
})
