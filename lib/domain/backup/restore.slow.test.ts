/** A restore that is killed with SIGKILL, at ten moments between its mark and its end. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { inServer, runOperator, startOperator } from '@/lib/fixtures/operator'
import { config } from '@/lib/kernel/config'

const moments = 10
const newFolder = () => mkdtempSync(join(tmpdir(), 'beak-killed-'))

// security: backup-7
it('lets no service start and no second restore begin, and both say what to do', async () => {
  const owner = await aDuckling()
  const file = join(newFolder(), 'beak.backup')
  expect(await inServer('backup')(file)).toMatchObject({ code: 0 })

  const envOf = (DATA_DIR: string) => ({
    DATA_DIR,
    BASE_URL: config().baseUrl,
    BEAK_SECRET: Buffer.from(config().secret).toString(),
  })
  const run = (dataDir: string, ...words: string[]) => runOperator(envOf(dataDir), ...words)
  const isMarked = (dataDir: string) => existsSync(join(dataDir, 'restore-unfinished'))
  /** Starts a restore and waits for its mark. */
  const begin = async (dataDir: string) => {
    const restoring = startOperator(envOf(dataDir), 'restore', file)
    await vi.waitUntil(() => isMarked(dataDir), { timeout: 120_000, interval: 2 })
    return restoring
  }

  const whole = await begin(newFolder())
  const marked = performance.now()
  expect(await whole.ended).toBe(0)
  const milliseconds = performance.now() - marked

  const left: string[] = []
  for (let moment = 0; moment < moments; moment++) {
    const dataDir = newFolder()
    const { child, ended } = await begin(dataDir)
    await after((milliseconds * moment) / moments)
    child.kill('SIGKILL')
    await ended
    const database = join(dataDir, 'db')
    const state = isMarked(dataDir) ? (existsSync(database) ? 'half' : 'marked') : 'whole'
    left.push(state)
    if (state !== 'whole') {
      // Any command that opens the database opens it as the server does.
      const started = await run(dataDir, 'actions')
      expect([started.code, started.output]).toEqual([
        1,
        expect.stringMatching(/A backup was being restored into .*did not finish.*run restore again/),
      ])
    }
    if (state === 'half') {
      const second = await run(dataDir, 'restore', file)
      expect([second.code, second.output]).toEqual([
        1,
        expect.stringContaining(`delete the folder ${database} if it is there, and run restore again`),
      ])
      rmSync(database, { recursive: true })
    }
    // What the messages say works. It is the same after each moment, so it is done after the first one of each kind.
    if (left.indexOf(state) < moment) continue
    if (state !== 'whole') expect(await run(dataDir, 'restore', file)).toMatchObject({ code: 0 })
    const found = await run(dataDir, 'account', 'find', owner.email)
    expect([found.code, found.output, readdirSync(dataDir)]).toEqual([
      0,
      expect.stringContaining(owner.id),
      expect.not.arrayContaining(['restore-unfinished']),
    ])
  }
  expect(left).toContain('half')
}, 1_800_000)
