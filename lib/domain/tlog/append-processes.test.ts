import type { ChildProcess } from 'node:child_process'
import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { startInstance } from '@/lib/fixtures/bundle'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { appendNow, faultsOfLog } from '@/lib/fixtures/tlog'

interface Writer {
  child: ChildProcess
  /** Resolves after its first turn. */
  started: Promise<void>
  ended: Promise<number | null>
}

function startWriter(): Writer {
  const { child } = startInstance('lib/fixtures/tlog-writer.ts')
  return {
    child,
    started: new Promise((resolve) => child.stdout.once('data', () => resolve())),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

describeOnPostgres('three processes on one PostgreSQL', () => {
  // security: fork-2
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
