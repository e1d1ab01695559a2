import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const newFolder = () => mkdtempSync(join(tmpdir(), 'beak-operator-'))

async function operator(dataDir: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const command = ['--import', 'tsx', 'scripts/operator.ts', ...args]
  // Nothing of the test runner's own environment, which sets BASE_URL and the like.
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NODE_ENV: 'test' as const, DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }) => ({ code: code as number, output: String(stderr) }),
  )
}

describe('npm run operator', () => {
  it('tells how to use it', async () => {
    const folder = newFolder()
    const wrong = [[], ['rotate'], ['limit', 'DUCK-1', '0/0']]
    const answers = await Promise.all(wrong.map((args) => operator(folder, ...args)))
    for (const { code, output } of answers) {
      expect(code).toBe(1)
      expect(output).toContain('Usage: npm run operator')
    }
  })

  it('says to stop the server while that has the embedded database', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, start: null }))
    const { code, output } = await operator(folder, 'rotate-keys')
    expect(code).toBe(1)
    expect(output).toContain(`in use by process ${process.pid}`)
    expect(output).toContain('stop the server')
  })

  // Two whole starts, the first of which makes a database: slow where the machine is busy.
  it('rotates keys, and says in one line why something cannot be done', { timeout: 120_000 }, async () => {
    const folder = newFolder()
    const rotated = await operator(folder, 'rotate-keys')
    expect(rotated).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The new signing key is [\w-]{43}\. /),
    })
    const kid = /key is ([\w-]{43})/.exec(rotated.output)?.[1] ?? ''
    expect(await operator(folder, 'retire-key', kid)).toEqual({
      code: 1,
      output: 'No other key signs yet. Run rotate-keys and retire this one two minutes later.\n',
    })
  })
})
