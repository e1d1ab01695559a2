import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { snapshotPath } from '@/lib/fixtures/global-setup'
import { databaseOn } from '../client'
import { transactionOn } from '../transaction'
import { openEmbedded } from './open'

const readSnapshot = () => new Uint8Array(readFileSync(snapshotPath())).buffer

describe('the embedded database', () => {
  it('throws when a COMMIT fails, and works afterwards', async () => {
    const embedded = await openEmbedded({ dataDir: null, snapshot: readSnapshot() })
    const database = databaseOn(embedded.pool, embedded)
    await database.tx.run`CREATE TABLE "Nest" ("egg" int UNIQUE DEFERRABLE INITIALLY DEFERRED)`
    const lay = (...eggs: number[]) =>
      transactionOn(database, async (tx) => {
        for (const egg of eggs) await tx.run`INSERT INTO "Nest" VALUES (${egg}::int)`
      })
    // The deferred constraint fails only in COMMIT.
    await expect(lay(1, 1)).rejects.toThrow(/duplicate key/)
    await lay(2)
    expect(await database.tx.rows`SELECT "egg" FROM "Nest"`).toEqual([{ egg: 2 }])
    await database.close()
  })

  it('refuses a folder in which a service answers whose process it cannot see, as in another container', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'beak-shared-'))
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: process.pid, start: '1' }))
    const service = createServer().listen(join(dataDir, 'operator.sock'))
    await once(service, 'listening')
    try {
      await expect(openEmbedded({ dataDir })).rejects.toThrow(
        `${dataDir} is in use by a service in another container. Stop that container, or set DATA_DIR`,
      )
      expect(existsSync(join(dataDir, 'db'))).toBe(false)
    } finally {
      service.close()
      rmSync(dataDir, { recursive: true })
    }
  })

  // security: backup-13
  it('makes its folder readable only by its owner, also a folder that others could read before, and removes what a killed start left', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'beak-private-'))
    const outside = mkdtempSync(join(tmpdir(), 'beak-outside-'))
    const before = process.umask(0)
    try {
      chmodSync(dataDir, 0o755)
      chmodSync(outside, 0o755)
      mkdirSync(join(dataDir, 'outbox'), { mode: 0o755 })
      writeFileSync(join(dataDir, 'outbox', 'one.json'), '{}', { mode: 0o644 })
      symlinkSync(outside, join(dataDir, 'link'))
      // A start that was killed has left these.
      mkdirSync(join(dataDir, 'db.new-1', 'base'), { recursive: true })
      const readable = () =>
        ['.', ...(readdirSync(dataDir, { recursive: true }) as string[])].filter(
          (name) => !name.startsWith('link') && (statSync(join(dataDir, name)).mode & 0o077) !== 0,
        )
      // Twice: the second round corrects the permissions that an older version left.
      for (const round of [1, 2]) {
        const embedded = await openEmbedded({ dataDir })
        await embedded.pool.query(`CREATE TABLE "Nest${round}" ("egg" int PRIMARY KEY)`)
        expect(readable()).toEqual([])
        expect(existsSync(join(dataDir, 'db.new-1'))).toBe(false)
        await embedded.close()
        chmodSync(join(dataDir, 'db'), 0o755)
        chmodSync(join(dataDir, 'db', 'PG_VERSION'), 0o666)
      }
      expect(statSync(outside).mode & 0o777).toBe(0o755)
    } finally {
      process.umask(before)
      rmSync(dataDir, { recursive: true })
      rmSync(outside, { recursive: true })
    }
  }, 60_000)
})
