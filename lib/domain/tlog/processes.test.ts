import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { appendNow, faultsOfLog } from '@/lib/fixtures/tlog'
import { config } from '@/lib/kernel/config'

const databaseUrl = process.env.TEST_DATABASE_URL

interface Writer {
  child: ChildProcess
  /** Resolves after its first turn. */
  started: Promise<void>
  ended: Promise<number | null>
}

function startWriter(): Writer {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/fixtures/tlog-writer.ts'], {
    env: {
      PATH,
      HOME,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      BASE_URL: config().baseUrl,
      BEAK_SECRET: Buffer.from(config().secret).toString(),
      DATABASE_URL: databaseUrl,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'beak-writer-')),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    child,
    started: new Promise((resolve) => child.stdout.once('data', () => resolve())),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

describe.skipIf(databaseUrl === undefined)('three processes on one PostgreSQL', () => {
  it('write one log without gaps when one of them is killed', { timeout: 120_000 }, async () => {
    const { size } = await appendNow()
    const writers = [startWriter(), startWriter(), startWriter()]
    const [killed, ...others] = writers
    await killed?.started
    killed?.child.kill('SIGKILL')
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0])
    await killed?.ended
    expect((await appendNow()).size).toBeGreaterThanOrEqual(size + 2 * 12 * 40 + 40)
    expect(await db().logPending.count()).toBe(0)
    expect(await faultsOfLog()).toEqual([])
  })
})
