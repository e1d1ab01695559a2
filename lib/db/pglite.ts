/**
 * The embedded database: PostgreSQL in this very process, in `DATA_DIR/db`. One process at a time may open it, so a lock
 * file names the holder; a lock whose process is gone (SIGKILL, power cut) is taken over.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
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

/** A process's start time, so that a reused process id is not taken for the old holder. Null where /proc is not there. */
function startOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null
  } catch {
    return null
  }
}

function isAlive(pid: number, start: string | null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return start === null || startOf(pid) === null || startOf(pid) === start
}

/** Takes the folder's lock or throws `DataDirLocked`. The lock goes with the process. */
export function lockDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'lock')
  const own = JSON.stringify({ pid: process.pid, start: startOf(process.pid) })
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
      process.once('exit', () => rmSync(path, { force: true }))
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(path)
    if (holder && holder.pid !== process.pid && isAlive(holder.pid, holder.start))
      throw new DataDirLocked(dataDir, holder.pid)
    rmSync(path, { force: true })
  }
  throw new Error(`The lock ${path} could not be taken.`)
}

function readHolder(path: string): { pid: number; start: string | null } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { pid: number; start: string | null }
  } catch {
    return null
  }
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
