/** What `connections.ts` assumes about the driver `pg`. An upgrade that changes it fails here first. */
import { Duplex } from 'node:stream'
import type { Client, PoolClient } from 'pg'
import { expect, it } from 'vitest'
import { database } from './client'
import { sql } from './sql'
import { beforeCommit, transaction } from './transaction'

type Chunks = { chunk: Buffer }[]

/** Returns the stream of the connection that the next transaction gets. */
async function nextStream(): Promise<Duplex> {
  const client = (await database().pool.connect()) as PoolClient & Pick<Client, 'connection'>
  const { stream } = client.connection
  client.release()
  return stream
}

/** Returns what `work` writes to the stream, one text for each write. */
async function writesOf(stream: Duplex, work: () => Promise<unknown>): Promise<string[]> {
  const writes: string[] = []
  const { _write, _writev } = stream
  stream._write = (chunk: Buffer, ...rest) => {
    writes.push(chunk.toString('latin1'))
    _write.call(stream, chunk, ...rest)
  }
  stream._writev = (chunks: Chunks, done) => {
    writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString('latin1'))
    _writev?.call(stream, chunks as never, done)
  }
  try {
    await work()
  } finally {
    Object.assign(stream, { _write, _writev })
  }
  return writes
}

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
