/** The start waits for PostgreSQL: containers start in any order, and a server may be starting itself. */
import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { servingOptions } from './postgres'

const tryMs = 5_000
const pauseMs = 500
const printEveryMs = 5_000

/** The server is starting or stopping, or all its connections are taken (PostgreSQL, appendix A). */
const passing = new Set(['57P01', '57P02', '57P03', '53300'])

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'this host name is not known',
  EAI_AGAIN: 'the name server does not answer',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'no way to this host',
  ENETUNREACH: 'no way to this host',
  ENOENT: 'this socket does not exist',
}

/** Returns why a server cannot be reached now, or null when waiting does not help. */
function reasonToWait(error: Error): string | null {
  const { code = '' } = error as NodeJS.ErrnoException
  if (error instanceof DatabaseError) return passing.has(code) ? error.message : null
  // The driver gives no code for a timeout and for a connection that was closed, nor for some faults of DATABASE_URL.
  return code === '' ? error.message : (unreachable[code] ?? null)
}

/** Returns what to do about an error that does not go away. */
function adviceFor({ message }: Error, code: string | undefined, client: Client): string {
  if (code === '3D000')
    return `It has no database ${client.database}. Create it (CREATE DATABASE), or name another one in DATABASE_URL.`
  if (code === '28P01' || code === '28000')
    return `It refuses the user ${client.user}: ${message}. Check the name and the password in DATABASE_URL, and pg_hba.conf of the server.`
  // PgBouncer refuses a parameter with this code (protocol_violation).
  if (code === '08P01')
    return `PgBouncer does not take the settings of this service: ${message}. Add "ignore_startup_parameters = options" to pgbouncer.ini, and set them for the database: /docs/hosts/capacity#pgbouncer.`
  return `It cannot be used: ${message}. Check DATABASE_URL.`
}

/** Opens one connection and closes it. Returns null, or the error. */
async function tryOnce(client: Client): Promise<Error | null> {
  try {
    await client.connect()
    return null
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Resolves when a PostgreSQL server accepts a connection, and tries for so many seconds. Prints a line every five seconds. Throws
 * `StartProblem`, which names host, port and database and never the password.
 */
export async function awaitServer(
  connectionString: string,
  seconds: number,
  print = (line: string): void => void process.stderr.write(`${line}\n`),
): Promise<void> {
  const started = performance.now()
  const passed = () => performance.now() - started
  let nextLine = 0
  for (;;) {
    const client = new Client({ connectionString, connectionTimeoutMillis: tryMs, options: servingOptions })
    client.on('error', () => undefined)
    const error = await tryOnce(client)
    if (error === null) return
    const place = `PostgreSQL at ${client.host}, port ${client.port}, database ${client.database}`
    const reason = reasonToWait(error)
    if (reason === null)
      throw new StartProblem(`${place}: ${adviceFor(error, (error as NodeJS.ErrnoException).code, client)}`, {
        cause: error,
      })
    if (passed() + pauseMs > seconds * 1000)
      throw new StartProblem(
        `${place}: ${reason}, for ${Math.round(passed() / 1000)} s. Start the server, or correct DATABASE_URL. DATABASE_WAIT is the number of seconds to wait.`,
        { cause: error },
      )
    if (passed() >= nextLine) {
      print(`Waiting for ${place}: ${reason} (${Math.round(passed() / 1000)} of ${seconds} s)`)
      nextLine += printEveryMs
    }
    await wait(pauseMs)
  }
}
