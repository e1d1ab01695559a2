/** An older copy of the database that somebody puts back under a built server, and a disk that fills up. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOperator } from '@/lib/fixtures/operator'
import { expect, test } from './own-server'
import { eventually, newDataDir, send } from './server'

const person = (name: string) => ({ email: `${name}@example.com`, display_name: 'Mallard' })
const env = { BEAK_ROLES: 'api,worker', LOG_LEVEL: 'warn' }

test.describe('a database that was put back from an older copy', () => {
  test('is said after a short gap, stops the start after a longer one, and starts after operator restored', async ({
    start,
  }) => {
    test.setTimeout(300_000)
    const dataDir = newDataDir()
    const database = join(dataDir, 'db')
    const copy = mkdtempSync(join(tmpdir(), 'beak-copy-'))
    const session = async (name: string) => {
      const server = await start({ dataDir, env })
      expect((await send(server, 'POST /beak/signup', { body: person(name) })).status).toBe(200)
      expect(await server.stop()).toBe(0)
      return server.output()
    }
    const putBack = () => {
      rmSync(database, { recursive: true })
      cpSync(copy, database, { recursive: true })
    }

    await session('before')
    cpSync(database, copy, { recursive: true })
    expect(await session('later')).not.toContain('The database lacks')
    putBack()
    expect(await session('again')).toContain('The database lacks what happened in')

    putBack()
    const [name = ''] = readdirSync(dataDir).filter((one) => one.startsWith('newest-event-'))
    const [newest, ...earlier] = JSON.parse(readFileSync(join(dataDir, name), 'utf8'))
    const longAgo = new Date(Date.parse(newest.until) - 600_000).toISOString()
    const seen = [newest, ...earlier.map((one: object) => ({ ...one, until: longAgo }))]
    writeFileSync(join(dataDir, name), JSON.stringify(seen))
    await expect(start({ dataDir, env })).rejects.toThrow(
      /The database is older than it was: .*restored --as-of \S+Z --yes/,
    )
    const doctor = await runOperator({ DATA_DIR: dataDir }, 'doctor')
    expect(doctor.output).toContain('fault')
    const restored = await runOperator({ DATA_DIR: dataDir }, 'restored', '--as-of', longAgo, '--yes')
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Start the service')])
    expect(await session('restored')).not.toContain('The database')
  })
})

/** Returns an empty file system of this size, or null where this user may not mount one. */
function aSmallDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'beak-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  return status === 0 ? folder : null
}

test.describe('a disk that fills up', () => {
  test('is an outage with its reason, is one line of the log, and passes when there is space', async ({
    start,
  }) => {
    test.setTimeout(300_000)
    const disk = aSmallDisk(220)
    test.skip(disk === null, 'not run: needs root on Linux, for mount')
    const dataDir = disk ?? ''
    try {
      cpSync(newDataDir(), dataDir, { recursive: true })
      const server = await start({ dataDir, env })
      const status = async () => (await send(server, 'GET /beak/system/status')).body
      const filler = join(dataDir, 'filler')
      const { bavail, bsize } = statfsSync(dataDir)
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 40_000_000))
      await eventually(async () => ((await status()).status === 'outage' ? true : null), 60)
      expect((await status()).components).toContainEqual({
        name: 'database',
        status: 'outage',
        reason: 'disk_full',
      })
      expect((await send(server, 'POST /beak/signup', { body: person('full') })).status).toBe(503)
      rmSync(filler)
      await eventually(async () => ((await status()).status === 'operational' ? true : null), 60)
      expect((await send(server, 'POST /beak/signup', { body: person('space') })).status).toBe(200)
      const output = server.output()
      expect(output.match(/Disk full: the disk of/g)).toHaveLength(1)
      expect(output).toContain('has space again')
      expect(output).not.toContain('read-only transaction')
      await server.stop()
    } finally {
      execFileSync('umount', ['--lazy', dataDir])
    }
  })
})
