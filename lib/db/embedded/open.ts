/**
 * The connection between the driver `pg` and the thread of the embedded database: a stream of PostgreSQL's wire protocol, as a socket
 * to a server would be. The database has one session, so there is one connection at a time.
 */

import { execFile } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { columnTypes } from '@/lib/db/sql'
import { freeBytes } from '@/lib/kernel/runtime/free-bytes'
import { isServing } from '@/lib/kernel/runtime/operator-socket'
import { folderProblem, StartProblem } from '@/lib/kernel/service/start-problem'
import { isTestService } from '@/lib/kernel/service/test-service'
import { lockFolder } from '../lock-folder'
import { createPrivateFiles, makePrivate } from '../private-files'
import { DatabaseThread, type EmbeddedOptions } from './thread'

/** `AuthenticationOk` and `ReadyForQuery` (idle): the answer of a server to the first message of a client. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
/** The first byte of `Terminate`. */
const terminate = 0x58

/** The methods of a socket that the driver calls. */
class EmbeddedConnection extends Duplex {
  private thread: DatabaseThread | null = null
  private hasStarted = false

  /** `open` returns the running thread, or starts one. */
  constructor(private readonly open: () => DatabaseThread) {
    super()
  }

  connect(): void {
    const thread = this.open()
    this.thread = thread
    thread.reset()
    thread.onAnswer = (bytes) => this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    thread.onEnd = () =>
      this.destroy(Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' }))
    thread.opened.then(
      () => this.emit('connect'),
      (error) => this.destroy(error),
    )
  }

  override _read(): void {
    // Answers are pushed when they arrive.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.send(chunk)
    done()
  }

  /** The driver corks what belongs together: all messages up to `Sync`, or a whole pipeline. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.send(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  private send(bytes: Buffer): void {
    if (!this.hasStarted) {
      this.hasStarted = true
      this.push(welcome)
    } else if (bytes[0] !== terminate) this.thread?.send(bytes)
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/**
 * The embedded database: PostgreSQL inside this process, with its files in `DATA_DIR/db`. Only one process at a time can open the
 * files, so the folder is locked.
 */

/** Whether this process can see another one with this id. In a container, each has the ids of its own container. */
function isVisible(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Thrown when another running process has locked the data folder. The message says which one and what to do. */
export class DataDirLocked extends StartProblem {
  override name = 'DataDirLocked'

  constructor(dataDir: string, pid: number) {
    const holder = isVisible(pid)
      ? `process ${pid}. Stop that process`
      : 'a service in another container. Stop that container'
    super(
      `${dataDir} is in use by ${holder}, or set DATA_DIR to another folder for this one. ` +
        'To run several instances on one database, set DATABASE_URL to a PostgreSQL server.',
    )
  }
}

/** Locks the data folder until the process ends. Throws `DataDirLocked`. */
export async function lockDataDir(dataDir: string): Promise<void> {
  const holder = await lockFolder(dataDir, undefined, () => isServing(dataDir))
  if (holder !== null) throw new DataDirLocked(dataDir, holder)
}

/** Thrown when an ordinary service would open the data of a test service, or the other way round. */
class WrongDataDir extends StartProblem {
  override name = 'WrongDataDir'

  constructor(dataDir: string) {
    super(
      isTestService()
        ? `${dataDir} has the data of an ordinary service, and "beak dev" would let test accounts answer there. Name an empty folder.`
        : `${dataDir} has the data of a test service ("beak dev"), whose keys signed tests. Set DATA_DIR to another folder.`,
    )
  }
}

/** The file in the folder of a database that marks it as one of a test service. PostgreSQL ignores it. */
const testMark = 'beak-test-service'

/** A new database has 40 MB, and grows at once. */
const neededBytes = 128 * 1024 * 1024

/** Throws `StartProblem` when the disk has no space for a new database. */
function requireSpace(dataDir: string, needed: number): void {
  const bytes = freeBytes(dataDir)
  if (bytes >= needed) return
  const free = Math.floor(bytes / 1_000_000)
  throw new StartProblem(
    `The disk of ${dataDir} has ${free} MB left, and a new database needs ${Math.ceil(needed / 1_000_000)} MB. Free some space, or set DATA_DIR to a folder on another disk.`,
  )
}

/** Creates the files of an empty database. A build brings them along, because to make them takes 500 MiB more memory for seconds. */
async function createEmpty(folder: string): Promise<void> {
  const root = /* turbopackIgnore: true */ process.cwd()
  const prepared = join(/* turbopackIgnore: true */ root, 'build', 'database')
  if (existsSync(prepared)) await cp(prepared, folder, { recursive: true })
  else await promisify(execFile)(process.execPath, [join(root, 'lib/db/embedded/create.mjs'), folder])
}

/** Removes what starts that were killed have left. Their program may still be writing, so each start has a folder of its own. */
function removeUnfinished(folder: string): void {
  const beginning = `${basename(folder)}.new-`
  for (const name of readdirSync(dirname(folder)).filter((entry) => entry.startsWith(beginning)))
    rmSync(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 })
}

/** Creates the files of the database, all or none. Throws `StartProblem`, and `WrongDataDir` for the data of the other kind of service. */
async function createFiles(dataDir: string, folder: string, needed: number): Promise<void> {
  if (existsSync(join(/* turbopackIgnore: true */ folder, 'PG_VERSION'))) {
    if (existsSync(join(folder, testMark)) !== isTestService()) throw new WrongDataDir(dataDir)
    return
  }
  requireSpace(dataDir, needed)
  removeUnfinished(folder)
  const unfinished = `${folder}.new-${process.pid}`
  try {
    await createEmpty(unfinished)
    if (isTestService()) writeFileSync(join(unfinished, testMark), '')
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another program may have filled the disk meanwhile.
    requireSpace(dataDir, needed)
    throw error
  }
}

export interface Embedded {
  pool: Pool
  /** The running thread. */
  thread(): DatabaseThread
  close(): Promise<void>
}

/**
 * Opens the embedded database of a data folder, or one in memory. Only the owner can read the files in the folder and the files that the
 * process creates afterwards. Throws `StartProblem`.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir } = options
  if (dataDir === null) return connect(options)
  createPrivateFiles()
  const folder = join(dataDir, 'db')
  try {
    await lockDataDir(dataDir)
    await createFiles(dataDir, folder, options.freeBytesMinimum ?? neededBytes)
  } catch (error) {
    throw folderProblem(dataDir, error)
  }
  const embedded = await connect({ ...options, dataDir: folder })
  // Some files are readable for others when the database creates them.
  makePrivate(dataDir)
  return embedded
}

/** A longer wait for the only connection is an outage (E5002). */
const waitMs = 15_000

async function connect(options: EmbeddedOptions): Promise<Embedded> {
  let current = new DatabaseThread(options)
  const thread = () => {
    if (current.hasEnded) current = new DatabaseThread(options)
    return current
  }
  await current.opened
  const pool = new Pool({
    stream: () => new EmbeddedConnection(thread) as never,
    // One session, so one connection, which keeps its prepared statements.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMs,
    pipeline: true,
    types: columnTypes,
    // The driver would read names and passwords from the environment and from files.
    user: 'postgres',
    password: '',
    database: 'postgres',
  })
  pool.on('error', () => undefined)
  return {
    pool,
    thread,
    close: async () => {
      await pool.end()
      await current.close()
    },
  }
}
