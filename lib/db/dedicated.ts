/** A connection for work that takes long, such as a backup. */
import { Client, type ClientBase } from 'pg'
import { config } from '@/lib/kernel/config'
import { database } from './client'
import { onConnection } from './connections'
import { columnTypes } from './sql'

/**
 * Lends `work` a connection without time limits, and rolls back when it throws. With the embedded database it is the only connection, so
 * requests wait meanwhile.
 */
export async function onDedicatedConnection<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
  const { pool, embedded } = database()
  if (embedded !== null) return embedded.thread().unwatched(() => onConnection(pool, work))
  const connectionString = config().databaseUrl ?? ''
  const client = new Client({ connectionString, options: '-c TimeZone=UTC', types: columnTypes })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
