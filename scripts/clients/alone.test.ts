import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { alone } from './alone.mjs'

it('does one work after the other, and frees the folder after a failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-alone-'))
  const events: string[] = []
  const work = (name: string) =>
    alone(folder, async () => {
      events.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`${name} ends`)
      if (name === 'first') throw new Error('broken')
    })
  const [first, second] = await Promise.allSettled([work('first'), work('second')])
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  expect(existsSync(join(folder, '.lock'))).toBe(false)
})

it('ignores the lock of a process that has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-alone-'))
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(join(folder, '.lock'), String(pid))
  let isDone = false
  await alone(folder, async () => {
    isDone = true
  })
  expect(isDone).toBe(true)
})
