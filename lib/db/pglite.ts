/**
 * The embedded database: PostgreSQL inside this process, with its files in `DATA_DIR/db`. Only one process at a time can open the
 * files, so the folder is locked.
 */
import { join } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { lockFolder } from './lock-folder'
import { createPrivateFiles, makePrivate } from './private-files'

/** Thrown when another running process has locked the data folder. The message says which one and what to do. */
export class DataDirLocked extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by process ${pid}. Stop that process, or set DATA_DIR to another folder for this one. ` +
        'To run several instances on one database, set DATABASE_URL to a PostgreSQL server.',
    )
    this.name = 'DataDirLocked'
  }
}

/** Locks the data folder until the process ends. Throws `DataDirLocked`. */
async function lockDataDir(dataDir: string): Promise<void> {
  const holder = await lockFolder(dataDir)
  if (holder !== null) throw new DataDirLocked(dataDir, holder)
}

/**
 * Opens the embedded database of a data folder, or in memory when `dataDir` is null. Only the owner can read the files in the folder
 * and the files that the process creates afterwards.
 */
export async function openEmbedded(dataDir: string | null, snapshot?: Blob): Promise<PGlite> {
  if (dataDir === null) return PGlite.create({ ...(snapshot ? { loadDataDir: snapshot } : {}) })
  createPrivateFiles()
  await lockDataDir(dataDir)
  makePrivate(dataDir)
  const pglite = await PGlite.create(join(dataDir, 'db'))
  // PGlite makes some files readable for others when it creates a database.
  makePrivate(dataDir)
  return pglite
}

type Outcomes = WeakMap<object, () => Promise<unknown>>

/** Wraps PGlite for the adapter. Stores the outcome of every transaction in `outcomes`. */
function storeOutcomes(pglite: PGlite, outcomes: Outcomes): PGlite {
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
 * Returns the driver adapter of Prisma for the embedded database. Corrects two bugs of the library: it does not wait for the script of
 * a migration, so a failure is an unhandled rejection; and it ignores a failed COMMIT, so lost changes are acknowledged.
 */
export function embeddedAdapter(pglite: PGlite): SqlMigrationAwareDriverAdapterFactory {
  const outcomes: Outcomes = new WeakMap()
  const factory = new PrismaPGlite(storeOutcomes(pglite, outcomes))
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
