/** Where a backup is restored: an empty folder or an empty PostgreSQL database, which has a mark until all rows are there. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type ClientBase, DatabaseError } from 'pg'
import { awaitServer } from '@/lib/db/await-server'
import { closeDatabase } from '@/lib/db/client'
import {
  isRestoring,
  markFolder,
  requireFinishedFolder,
  restoreMark,
  unmarkFolder,
} from '@/lib/db/restore-mark'
import { config } from '@/lib/kernel/config'
import { BackupRefused } from './file'

export interface Target {
  /** Takes the mark away in the transaction that restores the rows. */
  finish(client: ClientBase): Promise<void>
  /** Takes the mark away after that transaction. */
  finished(): Promise<void>
  /** Removes what a refused or failed restore has written. Tables of a PostgreSQL server stay, without rows and with the mark. */
  undo(): Promise<void>
}

async function reserveFolder(dataDir: string, backup: string): Promise<Target> {
  const wasMarked = isRestoring(dataDir)
  if (existsSync(join(dataDir, 'db'))) {
    requireFinishedFolder(dataDir)
    throw new BackupRefused(`${dataDir} has a database already. Set DATA_DIR to an empty folder.`)
  }
  await markFolder(dataDir, backup)
  return {
    finish: async () => undefined,
    finished: () => unmarkFolder(dataDir),
    undo: async () => {
      await closeDatabase().catch(() => undefined)
      await rm(join(dataDir, 'db'), { recursive: true, force: true })
      // A mark of an earlier restore says that the folder is no new one. Only a restore that succeeds takes it away.
      if (!wasMarked) await unmarkFolder(dataDir)
    },
  }
}

interface Found {
  mark: string | null
  hasTables: boolean
  hasMigrations: boolean
}

/** The empty list of migrations that `deploy/postgres-roles.sh` makes is no table in this sense. */
async function lookInto(client: ClientBase): Promise<Found> {
  const { rows } = await client.query<Found>(`
    SELECT to_regproc('${restoreMark}')::text AS "mark", to_regclass('_prisma_migrations') IS NOT NULL AS "hasMigrations",
      EXISTS (
        SELECT FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'
      ) AS "hasTables"`)
  const found = rows[0] ?? { mark: null, hasTables: true, hasMigrations: true }
  if (found.hasTables || !found.hasMigrations) return found
  const { rowCount } = await client.query('SELECT FROM _prisma_migrations LIMIT 1')
  return { ...found, hasTables: rowCount !== 0 }
}

/** SQLSTATE insufficient_privilege. */
const notPermitted = '42501'

function roleProblem(error: unknown, { user, database }: Client): unknown {
  if (!(error instanceof DatabaseError && error.code === notPermitted)) return error
  return new BackupRefused(
    `DATABASE_URL: the role ${user} may not make tables in the database ${database} (${error.message}). Name the role that owns the database, which in deploy/postgres-roles.sh is beak_owner, or let an administrator run: GRANT CREATE, USAGE ON SCHEMA public TO ${user}`,
    { cause: error },
  )
}

/** Runs `work` with a connection of its own to the database of the environment. */
async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    throw roleProblem(error, client)
  } finally {
    await client.end()
  }
}

async function reserveDatabase(databaseUrl: string): Promise<Target> {
  await awaitServer(databaseUrl, config().databaseWait)
  const wasMarked = await withClient(databaseUrl, async (client) => {
    const { mark, hasTables } = await lookInto(client)
    if (hasTables)
      throw new BackupRefused(
        mark === null
          ? `The database ${client.database} has tables already. Create an empty one (CREATE DATABASE), and name it in DATABASE_URL.`
          : `A restore into the database ${client.database} did not finish. If it is still running, wait. If it was stopped, make the database again, empty and with its roles, and run restore again: /docs/hosts/backup#when-you-need-it`,
      )
    await client.query(
      `CREATE OR REPLACE FUNCTION ${restoreMark}() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
    )
    return mark !== null
  })
  return {
    finish: async (client) => void (await client.query(`DROP FUNCTION ${restoreMark}()`)),
    finished: async () => undefined,
    undo: async () => {
      await closeDatabase().catch(() => undefined)
      await withClient(databaseUrl, async (client) => {
        if (!wasMarked && !(await lookInto(client)).hasTables)
          await client.query(`DROP FUNCTION IF EXISTS ${restoreMark}()`)
      })
    },
  }
}

/**
 * Checks that the database of the environment is empty and marks it, before anything else is written. Throws `BackupRefused` and
 * `StartProblem`, even when a restore that was stopped has left something: the message says how to go on.
 */
export function reserveTarget(backup: string): Promise<Target> {
  const { databaseUrl, dataDir } = config()
  return databaseUrl === null ? reserveFolder(dataDir, backup) : reserveDatabase(databaseUrl)
}
