/**
 * The database handle of the process: PostgreSQL when `DATABASE_URL` is set, else the embedded database. Both use the SQL of PostgreSQL
 * and the same Prisma client.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/singleton'
import { type Prisma, PrismaClient } from './generated/client'
import { migrate } from './migrate'
import { embeddedAdapter, openEmbedded } from './pglite'
import { migratingAdapter, servingAdapter } from './postgres'

export { Prisma } from './generated/client'

/** The client that queries take: inside a transaction or without one. */
export type Tx = Prisma.TransactionClient

interface Database {
  prisma: PrismaClient
  embedded: boolean
  close(): Promise<void>
}

interface Holder {
  opening: Promise<Database> | null
  opened: Database | null
}

function holder(): Holder {
  return singleton('database', () => ({ opening: null, opened: null }))
}

const options = {
  errorFormat: 'minimal',
  // A longer wait for a connection or a longer transaction is an outage (E5002).
  transactionOptions: { maxWait: 15_000, timeout: 15_000 },
} as const

/** Connects to the configured database and applies pending migrations. */
async function connect(): Promise<Database> {
  const { databaseUrl, dataDir } = config()
  if (databaseUrl === null) return embed(dataDir)
  await migrate(migratingAdapter(databaseUrl))
  const prisma = new PrismaClient({ adapter: servingAdapter(databaseUrl), ...options })
  return { prisma, embedded: false, close: () => prisma.$disconnect() }
}

async function embed(dataDir: string | null, snapshot?: Blob): Promise<Database> {
  const pglite = await openEmbedded(dataDir, snapshot)
  await pglite.exec("SET TIME ZONE 'UTC'")
  const adapter = embeddedAdapter(pglite)
  await migrate(adapter)
  const prisma = new PrismaClient({ adapter, ...options })
  return {
    prisma,
    embedded: true,
    close: async () => {
      await prisma.$disconnect()
      await pglite.close()
    },
  }
}

/** Opens the database. Later calls return the same promise. After a failure, the next call tries again. */
export function openDatabase(): Promise<Database> {
  const state = holder()
  state.opening ??= connect().then(
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

/** Opens a database in memory, optionally from a snapshot. For tests. @internal */
export async function openMemoryDatabase(snapshot?: Blob): Promise<Database> {
  const state = holder()
  state.opening = embed(null, snapshot)
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

/** Set while code runs inside a transaction. */
const inside = new AsyncLocalStorage<true>()

/** Marks `work` as running inside a transaction. Only for `lib/db/transaction.ts`. */
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return inside.run(true, work)
}

/**
 * Returns the client. Throws before `openDatabase` has finished. Also throws inside a transaction, where only its `tx` can be used: the
 * embedded database has one connection, so the query would wait for the transaction, and the transaction for the query.
 */
export function db(): PrismaClient {
  if (inside.getStore()) throw new Error('Inside a transaction use its tx, not db().')
  const { opened } = holder()
  if (!opened) throw new Error('The database is not open.')
  return opened.prisma
}
