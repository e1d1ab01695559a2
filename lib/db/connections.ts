/** Connections of the pool, and how statements travel together on one. */
import type { Client, Pool, PoolClient } from 'pg'
import { chunksOf } from '@/lib/kernel/runtime/chunks'
import { execute } from './prepared-query'
import type { Driver, Result, Statement } from './sql'

/** Sends several statements in one write. A connection of a pool is a `Client`, whose stream `pg` declares only on that type. */
export function pipelined<T>(client: PoolClient, send: () => T): T {
  const { stream } = (client as PoolClient & Pick<Client, 'connection'>).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return send()
}

/** Sends the statements of one tick in one write. */
export const pipeline = (client: PoolClient): Driver => ({
  query: (statement) => pipelined(client, () => execute(client, statement)),
})

const ignore = () => undefined

/** Lends a connection to `work`. Rolls back when it throws. */
export async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // A connection that breaks fails its statements. Without a listener, the event would end the process.
  client.on('error', ignore)
  let isBroken = false
  try {
    return await work(client)
  } catch (error) {
    isBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.off('error', ignore)
    client.release(isBroken)
  }
}

interface Waiting {
  statement: Statement
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Statements on one connection. More would wait for each other although the server has idle processors. */
const togetherMax = 8

/**
 * Returns a driver that sends the statements of simultaneous requests together: they share the write and the read of a connection,
 * which cost more than a small statement. Each is a transaction of its own, so one that fails does not disturb the others.
 */
export function gathering(pool: Pool): Driver {
  let waiting: Waiting[] = []
  const send = () => {
    const all = waiting
    waiting = []
    for (const some of chunksOf(all, togetherMax)) void sendTogether(pool, some)
  }
  return {
    query: (statement) =>
      new Promise((resolve, reject) => {
        // After the callbacks of all requests that have arrived.
        if (waiting.push({ statement, resolve, reject }) === 1) setImmediate(send)
      }),
  }
}

async function sendTogether(pool: Pool, together: Waiting[]): Promise<void> {
  try {
    await onConnection(pool, (client) =>
      pipelined(client, () =>
        Promise.all(
          together.map(({ statement, resolve, reject }) => execute(client, statement).then(resolve, reject)),
        ),
      ),
    )
  } catch (error) {
    for (const { reject } of together) reject(error)
  }
}
