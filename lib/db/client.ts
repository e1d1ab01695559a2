/**
 * The one database handle of the process: PostgreSQL where `DATABASE_URL` is set, else the embedded one. Both speak
 * PostgreSQL's SQL through the same Prisma client.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/singleton'
import { type Prisma, PrismaClient } from './generated/client'
import { migrate } from './migrate'
import { embeddedAdapter, openEmbedded } from './pglite'
import { migratingAdapter, servingAdapter } from './postgres'

export { Prisma } from './generated/client'

/** A client inside `transaction`, or the plain one: what queries take. */
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
  // Waiting longer than this for a connection, or for one's own transaction, is an outage (E5002), not a queue.
  transactionOptions: { maxWait: 15_000, timeout: 15_000 },
} as const

/** Connects as configured and brings the schema up to date. */
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

/** Opens the database once; every later call is the same promise. A failed opening may be tried again. */
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

/** Opens an embedded database in memory, from a snapshot if given. @internal */
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

/** Marks code that runs inside a transaction. */
const inside = new AsyncLocalStorage<true>()

/** Runs `work` as the inside of a transaction: for `lib/db/transaction.ts` only. */
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return inside.run(true, work)
}

/**
 * The client. `openDatabase` must have finished, as the start of the process and `serve` see to. Inside a transaction only
 * its `tx` may be used: the embedded database has one connection, so anything else would wait for itself.
 */
export function db(): PrismaClient {
  if (inside.getStore()) throw new Error('Inside a transaction use its tx, not db().')
  const { opened } = holder()
  if (!opened) throw new Error('The database is not open.')
  return opened.prisma
}
