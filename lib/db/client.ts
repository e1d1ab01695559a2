/** What the role of the service must be allowed to do with the tables that are there. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { Client, type Pool } from 'pg'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { awaitServer } from './await-server'
import { gathering } from './connections'
import { type Embedded, openEmbedded } from './embedded/open'
import type { EmbeddedOptions } from './embedded/thread'
import { Prisma, type PrismaClient } from './generated/client'
import { migrate, migrationNames, pendingMigrations } from './migrate'
import { migratingAdapter, servingPool } from './postgres'
import { isInTransaction, joiningModelsOf, type Models, modelsOf, prismaOn } from './prisma'
import { requireFinishedFolder } from './restore-mark'
import { watchClock } from './service-clock'
import { type Queries, queriesOn } from './sql'

interface Rights {
  role: string
  name: string
  hasSchema: boolean
  tables: string[]
  sequences: string[]
}

/** How many names a message lists. */
const namedMax = 5

const some = (names: string[]) =>
  [...names.slice(0, namedMax), ...(names.length > namedMax ? ['…'] : [])].join(', ')

/**
 * Throws `StartProblem` when the role of a PostgreSQL server lacks rights on tables that are there, for instance after a restore into a database
 * without `ALTER DEFAULT PRIVILEGES`. Names the rights and what to run.
 */
export async function requireRights(connectionString: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<Rights>(
      `SELECT current_user::text AS "role", current_database()::text AS "name", current_schema() IS NOT NULL AS "hasSchema",
        ARRAY(
          SELECT c.relname::text FROM pg_class c
          WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
            AND NOT (has_table_privilege(c.oid, 'SELECT') AND (c.relname = '_prisma_migrations' OR (
              has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))))
          ORDER BY c.relname) AS "tables",
        ARRAY(
          SELECT c.relname::text FROM pg_class c
          WHERE c.relkind = 'S' AND c.relnamespace = current_schema()::regnamespace
            AND NOT (has_sequence_privilege(c.oid, 'USAGE') AND has_sequence_privilege(c.oid, 'SELECT'))
          ORDER BY c.relname) AS "sequences"`,
      [[...Object.values(Prisma.ModelName), '_prisma_migrations']],
    )
    const rights = rows[0]
    if (rights === undefined) throw new Error('the database gave no answer')
    const { role, name, hasSchema, tables, sequences } = rights
    const missing = [
      ...(hasSchema ? [] : ['USAGE on the schema public']),
      ...(tables.length === 0 ? [] : [`SELECT, INSERT, UPDATE and DELETE on tables (${some(tables)})`]),
      ...(sequences.length === 0 ? [] : [`USAGE and SELECT on sequences (${some(sequences)})`]),
    ]
    if (missing.length === 0) return
    throw new StartProblem(
      `DATABASE_URL: the role ${role} lacks these rights in the database ${name}: ${missing.join('; ')}. Give them as the owner of the tables: the GRANT lines of /docs/hosts/operate#the-database-role`,
    )
  } finally {
    await client.end()
  }
}

/**
 * The database handle of the process: PostgreSQL when `DATABASE_URL` is set, else the embedded database. Both speak PostgreSQL's wire
 * protocol to the same driver.
 */

export { Prisma } from './generated/client'

/** What queries take: inside a transaction or without one. */
export type Tx = Models & Queries

export interface Database {
  pool: Pool
  prisma: PrismaClient
  /** The models of transactions. */
  joining: Models
  /** Models and statements without a transaction. */
  tx: Tx
  /** Null for a PostgreSQL server. */
  embedded: Embedded | null
  close(): Promise<void>
}

interface Holder {
  opening: Promise<Database> | null
  opened: Database | null
}

function holder(): Holder {
  return singleton('database', () => ({ opening: null, opened: null }))
}

/** Returns the handle of a pool. @internal */
export function databaseOn(pool: Pool, embedded: Embedded | null = null): Database {
  const prisma = prismaOn(pool)
  return {
    pool,
    prisma,
    joining: joiningModelsOf(prisma),
    tx: Object.assign(modelsOf(prisma), queriesOn(pool, gathering(pool))),
    embedded,
    close: async () => {
      await prisma.$disconnect()
      await (embedded === null ? pool.end() : embedded.close())
    },
  }
}

/** Connects to the configured database, applies pending migrations, and compares the clocks. Throws `StartProblem`. */
async function connect(migrations?: readonly string[]): Promise<Database> {
  const database = await connectOnly(migrations)
  await watchClock(database)
  return database
}

async function connectOnly(migrations?: readonly string[]): Promise<Database> {
  const { databaseUrl, databaseWait, dataDir } = config()
  if (databaseUrl === null) {
    if (migrations === undefined) requireFinishedFolder(dataDir)
    return embed({ dataDir }, migrations)
  }
  await awaitServer(databaseUrl, databaseWait)
  await requireRights(databaseUrl)
  await migrate(migratingAdapter(databaseUrl), migrations)
  return databaseOn(servingPool(databaseUrl))
}

async function embed(options: EmbeddedOptions, migrations?: readonly string[]): Promise<Database> {
  const embedded = await openEmbedded(options)
  await embedded.thread().unwatched(() => migrate(new PrismaPg(embedded.pool), migrations))
  return databaseOn(embedded.pool, embedded)
}

/**
 * Opens the database. Later calls return the same promise. After a failure, the next call tries again. With `migrations`, only these are
 * applied: a restore opens the database so.
 */
export function openDatabase(migrations?: readonly string[]): Promise<Database> {
  const state = holder()
  state.opening ??= connect(migrations).then(
    (database) => {
      state.opened = database
      return database
    },
    (error) => {
      state.opening = null
      throw error
    },
  )
  return state.opening
}

/** Returns the migrations that `openDatabase` would apply, and changes nothing. A database that does not exist needs all of them. */
export async function findPendingMigrations(): Promise<string[]> {
  const { opened } = holder()
  if (opened !== null) return pendingMigrations(new PrismaPg(opened.pool))
  const { databaseUrl, databaseWait, dataDir } = config()
  if (databaseUrl !== null) {
    await awaitServer(databaseUrl, databaseWait)
    return pendingMigrations(migratingAdapter(databaseUrl))
  }
  requireFinishedFolder(dataDir)
  if (!existsSync(join(dataDir, 'db'))) return migrationNames()
  const embedded = await openEmbedded({ dataDir })
  try {
    return await pendingMigrations(new PrismaPg(embedded.pool))
  } finally {
    await embedded.close()
  }
}

/** Opens a database in memory, optionally from a snapshot. For tests. @internal */
export async function openMemoryDatabase(snapshot?: ArrayBuffer): Promise<Database> {
  const state = holder()
  state.opening = embed({ dataDir: null, ...(snapshot ? { snapshot } : {}) })
  state.opened = await state.opening
  return state.opened
}

export async function closeDatabase(): Promise<void> {
  const state = holder()
  const database = await state.opening
  state.opening = null
  state.opened = null
  await database?.close()
}

/** Whether `openDatabase` has finished. */
export function isDatabaseOpen(): boolean {
  return holder().opened !== null
}

/** Returns the handle. Throws before `openDatabase` has finished. For `lib/db`. */
export function database(): Database {
  const { opened } = holder()
  if (!opened) throw new Error('The database is not open.')
  return opened
}

/**
 * Returns models and statements without a transaction. Throws inside a transaction, where only its `tx` can be used: the embedded
 * database has one connection, so the query would wait for the transaction, and the transaction for the query.
 */
export function db(): Tx {
  if (isInTransaction()) throw new Error('Inside a transaction use its tx, not db().')
  return database().tx
}
