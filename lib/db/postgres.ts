/**
 * A PostgreSQL server as Prisma's driver adapter. Every wait for it has an end, so that a server or a network that hangs is
 * an outage (E5002) and not a request without an answer. The time limit is never one of the driver's own (`query_timeout`):
 * that gives the connection back with its transaction still open, and the next request would work inside it.
 */
import { Socket } from 'node:net'
import { PrismaPg } from '@prisma/adapter-pg'

/** The server cancels a statement that takes longer, waiting for a lock included. */
const statementSeconds = 10
/** A transaction whose process has gone without a word (a power cut) must not hold its locks for hours. */
const idleSeconds = 20
/** A connection on which nothing has moved for so long is cut. Idle ones the pool has closed by then. */
const silenceMs = 12_000

const connecting = { max: 10, connectionTimeoutMillis: 5_000 }
const handlers = { onPoolError: () => undefined }

function impatientSocket(): Socket {
  const socket = new Socket()
  socket.setTimeout(silenceMs, () => socket.destroy())
  return socket
}

/** The adapter that serves requests. */
export function servingAdapter(connectionString: string): PrismaPg {
  const limits = `-c statement_timeout=${statementSeconds}s -c idle_in_transaction_session_timeout=${idleSeconds}s`
  return new PrismaPg(
    {
      connectionString,
      ...connecting,
      options: `-c TimeZone=UTC ${limits}`,
      stream: impatientSocket,
    },
    handlers,
  )
}

/** The adapter that migrates: changes of the schema, and waiting for another instance that makes them, take their time. */
export function migratingAdapter(connectionString: string): PrismaPg {
  return new PrismaPg({ connectionString, ...connecting, options: '-c TimeZone=UTC' }, handlers)
}
