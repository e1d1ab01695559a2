import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { copyTiles, mirrorFolder } from '@/lib/domain/tlog/mirror'
import { inServer } from '@/lib/fixtures/operator'
import {
  appendNow,
  faultsOfLog,
  newestCheckpoint,
  pendingEntries,
  readOwnFile,
  restoreLog,
} from '@/lib/fixtures/tlog'

afterEach(async () => {
  await db().logName.deleteMany()
})

const run = inServer('log')

const grow = async (count: number) => {
  await pendingEntries(count)
  return appendNow()
}

describe('log continue', () => {
  it('with a mirror shows first what it would do, and does it with --yes', async () => {
    const kept = await grow(3)
    const lost = await grow(5)
    const folder = mkdtempSync(join(tmpdir(), 'beak-mirror-'))
    await copyTiles(mirrorFolder(folder, lost.origin), lost.note, readOwnFile)
    await restoreLog(kept.size)
    const forked = await grow(2)
    const shown = await run('continue', '--mirror', folder)
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('Nothing was changed.') })
    expect(shown.output).toContain(`The log gets 5 entries from the mirror. The 2 others`)
    expect(await newestCheckpoint()).toEqual(forked)
    expect(await run('continue', '--mirror', folder, '--yes')).toMatchObject({
      code: 0,
      output: expect.stringContaining('The log continues. 5 entries were added and 2 moved.'),
    })
    expect((await newestCheckpoint()).size).toBe(lost.size + 2)
    expect(await faultsOfLog()).toEqual([])
    expect(await run('continue', '--mirror', mirrorFolder(folder, lost.origin), '--yes')).toEqual({
      code: 1,
      output: expect.stringMatching(/^There is nothing to continue: .*\.$/),
    })
  })

  it('with --new begins a log that names a checkpoint from outside', async () => {
    const kept = await grow(1)
    const lost = await grow(4)
    const file = join(mkdtempSync(join(tmpdir(), 'beak-checkpoint-')), 'checkpoint')
    writeFileSync(file, lost.note)
    await restoreLog(kept.size)
    expect((await run('continue', '--new', '--checkpoint', file)).output).toMatch(/Nothing was changed\./)
    expect(await newestCheckpoint()).toEqual(kept)
    const done = await run('continue', '--new', '--checkpoint', file, '--yes')
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining(`is called ${kept.origin}/2 now`) })
    expect(await newestCheckpoint()).toMatchObject({ origin: `${kept.origin}/2`, continued: lost.note })
    expect(await run('continue', '--new', '--checkpoint', '/nowhere/checkpoint')).toEqual({
      code: 1,
      output: 'There is no file /nowhere/checkpoint.',
    })
  })

  it.each([
    [['stop'], 'log needs continue'],
    [['continue'], 'needs either --mirror <folder or URL> or --new'],
    [['continue', '--new', '--mirror', '/m'], 'needs either --mirror <folder or URL> or --new'],
    [['continue', '--mirror', 'mirror'], '--mirror needs an absolute path'],
    [['continue', '--mirror', 'http://mirror.example/m'], 'must begin with https:'],
    [['continue', '--mirror', 'https://'], 'is not a URL'],
    [['continue', '--mirror', '/m', '--checkpoint', '/c'], '--checkpoint is only for --new'],
    [['continue', '--new', '--checkpoint', 'c'], '--checkpoint needs an absolute path'],
    [['continue', '--now'], "Unknown option '--now'"],
  ])('explains wrong arguments: %j', async (args, words) => {
    const { code, output } = await run(...args)
    expect(code).toBe(1)
    expect(output).toContain(words)
  })
})
