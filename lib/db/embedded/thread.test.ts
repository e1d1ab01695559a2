/** The embedded database that hangs, dies, or runs out of space. */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { migratedTemplate } from '@/lib/fixtures/data-folder'
import { databaseOn } from '../client'
import { isUnreachable } from '../conflict'
import { isDiskFull, isFullDiskError, noteReadOnly } from '../full-disk'
import { transactionOn } from '../transaction'
import { type Embedded, openEmbedded } from './open'
import type { EmbeddedOptions } from './thread'

let template: string
beforeAll(async () => {
  template = await migratedTemplate()
}, 60_000)

async function aDatabase(dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  cpSync(template, join(dataDir, 'db'), { recursive: true })
  const embedded = await openEmbedded({ dataDir, ...options })
  const database = databaseOn(embedded.pool, embedded)
  onTestFinished(() => database.close())
  return { ...database, embedded }
}

/** A folder of its own. */
function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder on a disk of so many MiB. */
function aSmallDisk(size = 160): string {
  const folder = aFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Whether this process may mount a disk. */
const canMount = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it succeeded',
    (error: unknown) => (isUnreachable(error) ? 'unreachable' : error),
  )

/** The thread after the running one. */
async function nextThread({ thread }: Embedded): Promise<void> {
  const ended = thread()
  await expect.poll(() => ended.hasEnded, { timeout: 10_000 }).toBe(true)
}

describe('a database that hangs', () => {
  it('fails what waits for it, is started again, and does not stop the process', async () => {
    const { embedded, tx } = await aDatabase(aFolder())
    await tx.run`CREATE TABLE "Nest" ("egg" int PRIMARY KEY)`
    await tx.run`INSERT INTO "Nest" VALUES (1)`
    let ticks = 0
    const timer = setInterval(() => ticks++, 100)
    const forever = failureOf(tx.run`DO $$ BEGIN LOOP END LOOP; END $$`)
    const behind = failureOf(tx.rows`SELECT 1`)
    await nextThread(embedded)
    clearInterval(timer)
    expect([await forever, await behind]).toEqual(['unreachable', 'it succeeded'])
    expect(ticks).toBeGreaterThan(20)
    expect(await tx.rows`SELECT "egg" FROM "Nest"`).toEqual([{ egg: 1 }])
  }, 60_000)
})

describe('a database that dies', () => {
  it('rolls back the running transaction and keeps what was committed', async () => {
    const database = await aDatabase(aFolder())
    const { embedded, tx } = database
    await tx.run`CREATE TABLE "Nest" ("egg" int PRIMARY KEY)`
    for (let egg = 0; egg < 50; egg++) await tx.run`INSERT INTO "Nest" VALUES (${egg}::int)`
    const interrupted = failureOf(
      transactionOn(database, async (inner) => {
        await inner.run`INSERT INTO "Nest" VALUES (100)`
        embedded.thread().kill()
        await inner.run`INSERT INTO "Nest" VALUES (101)`
      }),
    )
    expect(await interrupted).toBe('unreachable')
    expect(await tx.rows`SELECT count(*)::int AS "eggs" FROM "Nest"`).toEqual([{ eggs: 50 }])
  }, 60_000)
})

describe('a disk that is nearly full', () => {
  it('does not get half a database: the start says how much space it needs', async () => {
    const dataDir = aFolder()
    const opened = openEmbedded({ dataDir, freeBytesMinimum: Number.MAX_SAFE_INTEGER })
    await expect(opened).rejects.toThrow(
      /^The disk of .* has \d+ MB left, and a new database needs \d+ MB\. Free/,
    )
    expect(readdirSync(dataDir).filter((name) => name.startsWith('db'))).toEqual([])
  })

  it.runIf(canMount)(
    'that fills up while the database is created keeps no half of it',
    async () => {
      const dataDir = aSmallDisk(24)
      await expect(openEmbedded({ dataDir, freeBytesMinimum: 8 * 1024 * 1024 })).rejects.toThrow()
      expect(readdirSync(dataDir).filter((name) => name.startsWith('db'))).toEqual([])
    },
    60_000,
  )

  it('refuses writes as an outage and still reads', async () => {
    const { tx, embedded } = await aDatabase(aFolder(), { freeBytesMinimum: Number.MAX_SAFE_INTEGER })
    expect(await failureOf(tx.run`CREATE TABLE "Nest" ("egg" text)`)).toBe('unreachable')
    expect(embedded.thread().isReadOnly).toBe(true)
    expect(isDiskFull()).toBe(true)
    const error = await tx.run`CREATE TABLE "Nest" ("egg" text)`.catch((thrown: unknown) => thrown)
    expect(isFullDiskError(error)).toBe(true)
    noteReadOnly(false)
    expect(await tx.rows`SELECT 1 AS "one"`).toEqual([{ one: 1 }])
  }, 60_000)

  it.runIf(canMount)(
    'does not hang while it fills up, and takes writes again when there is space',
    async () => {
      const dataDir = aSmallDisk()
      const { embedded, tx } = await aDatabase(dataDir)
      await tx.run`CREATE TABLE "Nest" ("egg" text)`
      const filler = join(dataDir, 'filler')
      const write = () => failureOf(tx.run`INSERT INTO "Nest" VALUES ('an egg')`)
      const fillAndWrite = () => {
        if (!embedded.thread().isReadOnly) appendFileSync(filler, Buffer.alloc(8 * 1024 * 1024))
        return write()
      }
      await expect.poll(fillAndWrite, { timeout: 30_000, interval: 200 }).toBe('unreachable')
      expect(embedded.thread().isReadOnly).toBe(true)
      expect(await tx.rows`SELECT count(*)::int > 0 AS "has" FROM "Nest"`).toEqual([{ has: true }])
      rmSync(filler)
      await expect.poll(write, { timeout: 10_000 }).toBe('it succeeded')
      expect(embedded.thread().isReadOnly).toBe(false)
    },
    60_000,
  )
})

/** Returns the bytes in the JavaScript heaps of all threads except the main one. */
function heapOfThreads(): number {
  // Without this, the report looks up the names of all addresses. The types do not know it.
  Object.assign(process.report, { excludeNetwork: true })
  const { workers } = process.report.getReport() as unknown as {
    workers: { javascriptHeap: { usedMemory: number } }[]
  }
  return workers.reduce((sum, { javascriptHeap }) => sum + javascriptHeap.usedMemory, 0)
}

describe('a thread that answers much', () => {
  it('does not keep its answers', async () => {
    const { tx } = await aDatabase(aFolder())
    const megabyte = 1024 * 1024
    const answer = async () => {
      const rows = await tx.rows`SELECT repeat('q', ${megabyte}) AS "text" FROM generate_series(1, 8)`
      expect(rows).toHaveLength(8)
    }
    await answer()
    const before = heapOfThreads()
    expect(before).toBeGreaterThan(0)
    for (let count = 0; count < 10; count++) await answer()
    // The answers are 80 MiB together.
    expect(heapOfThreads() - before).toBeLessThan(20 * megabyte)
  })
})
