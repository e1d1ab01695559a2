/**
 * One connection per instance for notifications (LISTEN, NOTIFY). It also sends: `pg_notify` runs outside of transactions here, because
 * a transaction with a notification holds a lock of the whole database while it commits.
 */
import { Socket } from 'node:net'
import { Client } from 'pg'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { version } from '@/lib/kernel/service/version'

const channel = 'beak'
/** A connection without traffic for this long is closed. The user of the listener must send more often. */
const silenceMs = 10_000
const connectMs = 5_000
/** The pause before the first attempt to connect again. It doubles up to the maximum. */
const pauseMs = 100
const pauseMaxMs = 5_000

export interface Listener {
  isConnected(): boolean
  /** Sends a text of less than 8000 bytes to all instances, this one included. Returns false when the connection is lost. */
  send(text: string): Promise<boolean>
  close(): Promise<void>
}

export interface ListenerEvents {
  onText(text: string): void
  /**
   * Called after every connection attempt that succeeded. Notifications that were sent before it did not arrive. `isBesideUnnamed`: whether an
   * instance listens whose connection has no name of ours, as in 0.2.0.
   */
  onConnected(isBesideUnnamed: boolean): void
}

/** Names the connection, and looks for other listeners: their last statement is one of these. */
const introduce = `
  SELECT set_config('application_name', $1, false), EXISTS (
    SELECT 1 FROM pg_stat_activity
    WHERE "datname" = current_database() AND "pid" <> pg_backend_pid() AND "application_name" NOT LIKE 'beak %'
      AND "query" IN ('LISTEN ${channel}', 'SELECT pg_notify($1, $2)')) AS "isBesideUnnamed"`

/** Returns a socket that does not keep the process alive. */
function socketWithTimeout(): Socket {
  const socket = new Socket().unref()
  return socket.setTimeout(silenceMs, () => socket.destroy())
}

/** Listens until closed, and connects again whenever the connection is lost. */
export function startListener(connectionString: string, events: ListenerEvents): Listener {
  let connected: Client | null = null
  let isClosed = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const client = new Client({
      connectionString,
      stream: socketWithTimeout,
      connectionTimeoutMillis: connectMs,
    })
    let [isLost, isBesideUnnamed] = [false, false]
    const lose = (error?: Error) => {
      if (isLost) return
      isLost = true
      if (connected === client) connected = null
      void client.end().catch(() => undefined)
      if (isClosed) return
      log().warn({ error: describeError(error ?? 'closed') }, 'notifications of other instances interrupted')
      timer = setTimeout(connect, Math.min(pauseMaxMs, pauseMs * 2 ** failures++)).unref()
    }
    client.on('error', lose).on('end', () => lose())
    client.on('notification', ({ payload }) => events.onText(payload ?? ''))
    try {
      await client.connect()
      const { rows } = await client.query<{ isBesideUnnamed: boolean }>(introduce, [`beak ${version}`])
      isBesideUnnamed = rows[0]?.isBesideUnnamed ?? false
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      return lose(error as Error)
    }
    if (isClosed) return void client.end()
    failures = 0
    connected = client
    events.onConnected(isBesideUnnamed)
  }
  void connect()

  return {
    isConnected: () => connected !== null,
    send: async (text) => {
      const sent = connected?.query('SELECT pg_notify($1, $2)', [channel, text])
      return sent === undefined ? false : sent.then(() => true).catch(() => false)
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      const client = connected
      connected = null
      await client?.end().catch(() => undefined)
    },
  }
}
