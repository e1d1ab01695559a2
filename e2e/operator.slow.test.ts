/** Commands of the operator that run when another begins, or when the server ends. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningOperator, runOperator, startOperator } from '@/lib/fixtures/operator'
import { expect, test } from './own-server'

const socketOf = ({ dataDir }: { dataDir: string }) => join(dataDir, 'operator.sock')
const runCommand = ({ dataDir }: { dataDir: string }, ...args: string[]) =>
  runOperator({ DATA_DIR: dataDir }, ...args)
const startCommand = ({ dataDir }: { dataDir: string }, ...args: string[]) =>
  startOperator({ DATA_DIR: dataDir }, ...args)
const outcomeOf = async ({ stdout, stderr, ended }: RunningOperator) => ({
  code: await ended,
  stdout: stdout(),
  stderr: stderr(),
})

test.describe.configure({ timeout: 240_000 })

test.describe('two commands at the same time', () => {
  test('run one after the other, even when the client of the first command is killed', async ({ start }) => {
    const server = await start()
    const seeding = startCommand(server, 'seed')
    await seeding.prints('People …')
    seeding.child.kill('SIGKILL')
    expect(await seeding.ended).toBeNull()
    const again = await outcomeOf(startCommand(server, 'seed'))
    expect(again).toEqual({
      code: 0,
      stdout: 'The demo data already exists.\n',
      stderr: 'Waiting until seed has ended.\n',
    })
    expect(await server.stop()).toBe(0)
  })
})

test.describe('the end of the server', () => {
  test('by SIGTERM stops a running command, removes the socket, and lets commands open the database', async ({
    start,
  }) => {
    const server = await start()
    const seeding = startCommand(server, 'seed')
    await seeding.prints('People …')
    expect(await server.stop()).toBe(0)
    const { code, stdout, stderr } = await outcomeOf(seeding)
    // The server waits five seconds, which may be enough for all the demo data.
    if (code === 0) expect(stdout).toContain('Done. Sign in as')
    else expect([code, stderr]).toEqual([1, expect.stringContaining('stopped before the command had ended')])
    expect(existsSync(socketOf(server))).toBe(false)
    expect(existsSync(join(server.dataDir, 'lock'))).toBe(false)
    expect(await runCommand(server, 'list-keys')).toMatchObject({ code: 0 })
  })
})
