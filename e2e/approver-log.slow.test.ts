/** The approver page of a release in the transparency log: a built server enters it, and the command of docs/approver.md finds it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { remoteLog } from '@beak/proofs/log/remote-log'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import { buildApprover } from '@/packages/approver/build.mjs'
import { findPage } from '@/scripts/approver/find-page'
import { expect, test } from './own-server'
import { eventually, newDataDir } from './server'

const run = promisify(execFile)

/** Runs `npm run approver:check` and returns its output and status. */
async function check(...args: string[]): Promise<{ text: string; status: number }> {
  try {
    const { stdout } = await run(process.execPath, ['scripts/run.mjs', 'approver-check.ts', ...args])
    return { text: stdout, status: 0 }
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number }
    return { text: stdout + stderr, status: code }
  }
}

test('logs its approver page, which anybody finds with the key of the log', async ({ start }) => {
  test.setTimeout(240_000)
  const { digest } = await buildApprover(process.cwd())
  const dataDir = newDataDir()
  const first = await start({ dataDir })
  await first.stop()
  const { url } = await start({ dataDir })
  const log = `${url}/.well-known/tlog`
  const readFile = remoteLog(log)
  const [vkey = ''] = await eventually(async () => {
    const response = await fetch(`${log}/vkeys`)
    return response.ok ? (await response.text()).trim().split('\n') : null
  })
  // A page that comes right after a checkpoint waits a minute for the next one.
  await expect
    .poll(
      () =>
        findPage(digest, [vkey], readFile).then(
          ({ index }) => index,
          () => null,
        ),
      {
        timeout: 120_000,
      },
    )
    .not.toBeNull()

  const found = await check('--log', log, '--vkey', vkey)
  expect(found.text).toContain(`sha256:${digest}`)
  expect(found.text).toMatch(/Checkpoint {2}\d+ entries, root [\w+/]+=\nFound {7}entry \d+\n/)
  expect(found.status).toBe(0)

  const missing = await check('--log', log, '--vkey', vkey, '--digest', 'ab'.repeat(32))
  expect(missing.text).toContain('The log has no entry of this page.')
  const [name = ''] = vkey.split('+')
  const foreign = await check('--log', log, '--vkey', aNoteSigner(name, 7).vkey)
  expect(foreign.text).toContain("none of the log's keys")
  expect([missing.status, foreign.status, (await check('--log', log)).status]).toEqual([1, 1, 1])
})
