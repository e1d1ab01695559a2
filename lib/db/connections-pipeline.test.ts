/** What `connections.ts` assumes about the driver `pg`. An upgrade that changes it fails here first. */
import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { nextStream, writesOf } from '@/lib/fixtures/statements'
import { sql } from './sql'
import { beforeCommit, transaction } from './transaction'

it('sends BEGIN with the first statements, and the consequences with COMMIT, in one write each', async () => {
  const stream = await nextStream()
  expect(
    stream,
    'pg has no `connection.stream` any more: see `pipelined` in lib/db/connections.ts',
  ).toBeInstanceOf(Duplex)
  const writes = await writesOf(stream, () =>
    transaction(async (tx) => {
      await Promise.all([tx.rows`SELECT 1 AS "first"`, tx.rows`SELECT 2 AS "second"`])
      beforeCommit(tx, sql`SELECT 3 AS "third"`)
      beforeCommit(tx, sql`SELECT 4 AS "fourth"`)
    }),
  )
  const texts = /BEGIN|COMMIT|"(first|second|third|fourth)"/g
  expect(
    writes.map((bytes) => bytes.match(texts)),
    'pg writes each statement on its own, or waits for an answer between two: see `pipelined` and `pipeline: true`',
  ).toEqual([
    ['BEGIN', '"first"', '"second"'],
    ['"third"', '"fourth"', 'COMMIT'],
  ])
})
