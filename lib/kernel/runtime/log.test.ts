import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { bundleOf } from '@/lib/fixtures/bundle'

/** Runs a program with `log` in a new process. */
function start(program: string) {
  const code = `import { log } from '${bundleOf('lib/kernel/runtime/log.ts')}'\n${program}`
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

const messagesIn = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)

const threeLines = `for (const name of ['one', 'two', 'three']) log().info(name)`

describe('log', () => {
  it.each([
    ['exits', `${threeLines}; process.exit(0)`],
    ['has nothing left to do', threeLines],
    ['ends with an uncaught exception', `${threeLines}; throw new Error('wrong')`],
    ['ends with an unhandled rejection', `${threeLines}; Promise.reject(new Error('wrong'))`],
  ])('writes every line in order when the process %s', async (_case, program) => {
    expect(messagesIn(await text(start(program).stdout))).toEqual(['one', 'two', 'three'])
  })

  it('writes every line in order while the process waits', async () => {
    const child = start(`${threeLines}; setInterval(() => {}, 60_000)`)
    child.stdout.once('data', () => child.kill('SIGKILL'))
    expect(messagesIn(await text(child.stdout))).toEqual(['one', 'two', 'three'])
  })

  it('writes an error and the lines before it at once, so SIGKILL does not lose them', async () => {
    const child = start(`${threeLines}; log().error('four'); process.kill(process.pid, 'SIGKILL')`)
    expect(messagesIn(await text(child.stdout))).toEqual(['one', 'two', 'three', 'four'])
  })

  it('does not end the process when nobody reads the lines any more', async () => {
    const child = start(`
      process.once('SIGTERM', () => {
        for (let count = 0; count < 3; count++) log().error('unread')
        setImmediate(() => process.exit(7))
      })
      setInterval(() => {}, 60_000)
      log().error('first')`)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.kill()
    expect(await once(child, 'exit')).toEqual([7, null])
  })
})
