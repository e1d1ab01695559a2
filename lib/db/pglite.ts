/**
 * The embedded database: PostgreSQL in this very process, in `DATA_DIR/db`. One process at a time may open it, so the folder is
 * locked.
 */
import { join } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { lockFolder } from './lock-folder'
import { createPrivateFiles, makePrivate } from './private-files'

/** Another live process holds the data folder. The message says which and what to do. */
export class DataDirLocked extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by process ${pid}. Stop that process, or give this one a folder of its own with DATA_DIR. ` +
        'To run several instances on one database, set DATABASE_URL to a PostgreSQL server.',
    )
    this.name = 'DataDirLocked'
  }
}

/** Takes the folder's lock or throws `DataDirLocked`. The lock goes with the process. */
function lockDataDir(dataDir: string): void {
  const holder = lockFolder(dataDir)
  if (holder !== null) throw new DataDirLocked(dataDir, holder)
}

/**
 * Opens the embedded database of a data folder, or one in memory when `dataDir` is null. Everything in the folder, and every
 * file that the process creates from then on, is readable by its owner only.
 */
export async function openEmbedded(dataDir: string | null, snapshot?: Blob): Promise<PGlite> {
  if (dataDir === null) return PGlite.create({ ...(snapshot ? { loadDataDir: snapshot } : {}) })
  createPrivateFiles()
  lockDataDir(dataDir)
  makePrivate(dataDir)
  const pglite = await PGlite.create(join(dataDir, 'db'))
  // PGlite opens some files to others when it creates a database.
  makePrivate(dataDir)
  return pglite
}

type Outcomes = WeakMap<object, () => Promise<unknown>>

/** What the library's adapter calls, with the outcome of every transaction kept for whoever commits it. */
function noting(pglite: PGlite, outcomes: Outcomes): PGlite {
  function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const running: Promise<T> = pglite.transaction((tx) => {
      outcomes.set(tx, () => running)
      return work(tx)
    })
    return running
  }
  return { query: pglite.query.bind(pglite), exec: pglite.exec.bind(pglite), transaction } as PGlite
}

/**
 * The embedded database as Prisma's driver adapter, with two faults of the library's adapter mended: it starts a migration's
 * script without waiting for it, so that a failing one would be an unhandled rejection, and it takes a COMMIT that failed for
 * one that succeeded, so that what is lost would be acknowledged.
 */
export function embeddedAdapter(pglite: PGlite): SqlMigrationAwareDriverAdapterFactory {
  const outcomes: Outcomes = new WeakMap()
  const factory = new PrismaPGlite(noting(pglite, outcomes))
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const connection = await connect()
    connection.executeScript = async (script) => {
      await pglite.exec(script)
    }
    const start = connection.startTransaction.bind(connection)
    connection.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel)
      const commit = transaction.commit.bind(transaction)
      transaction.commit = async () => {
        await commit()
        await outcomes.get((transaction as unknown as { client: object }).client)?.()
      }
      return transaction
    }
    return connection
  }
  return factory
}
