/**
 * Connections to a PostgreSQL server. Every wait has a time limit, so a server or a network that hangs is an outage (E5002) and not a
 * request without a response. `query_timeout` of the driver is not used: it returns the connection with its transaction still open,
 * and the next request would run inside that transaction.
 */
import { Socket } from 'node:net'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { columnTypes, planSettings } from './sql'

/** The server cancels a statement that takes longer, including its wait for locks. */
const statementSeconds = 10
/** The server ends a transaction that is idle for longer, for instance after a power cut of its client. */
const idleSeconds = 20
/** A connection without traffic for this long is closed. The pool closes idle connections earlier. */
const silenceMs = 12_000

const connecting = { max: 10, connectionTimeoutMillis: 5_000 }

function socketWithTimeout(): Socket {
  const socket = new Socket()
  socket.setTimeout(silenceMs, () => socket.destroy())
  return socket
}

/** What connections that serve requests set, as `name=value`. */
export const servingSettings = [
  'TimeZone=UTC',
  `statement_timeout=${statementSeconds}s`,
  `idle_in_transaction_session_timeout=${idleSeconds}s`,
  ...planSettings,
]

/** The settings as a parameter of the start of a connection. */
export const servingOptions = servingSettings.map((setting) => `-c ${setting}`).join(' ')

/** Returns the connections for requests. */
export function servingPool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    ...connecting,
    options: servingOptions,
    stream: socketWithTimeout,
    pipeline: true,
    types: columnTypes,
  })
  // A connection that breaks while it is idle leaves the pool. The next request opens another one.
  pool.on('error', () => undefined)
  return pool
}

/** Returns the adapter for migrations, without time limits: a migration, or the wait for another instance, can take long. */
export function migratingAdapter(connectionString: string): PrismaPg {
  return new PrismaPg(
    { connectionString, ...connecting, options: '-c TimeZone=UTC' },
    { onPoolError: () => undefined },
  )
}
