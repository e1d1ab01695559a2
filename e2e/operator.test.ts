/** `npm run operator` and `npm run seed` while the built server runs with the embedded database, and after it has stopped. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningOperator, runOperator, startOperator } from '@/lib/fixtures/operator'
import { test as base, expect } from './fixtures'
import { aPerson } from './people'
import { send, startServer } from './server'

/** These tests change signing keys and add the demo people, so they have a server of their own. */
const test = base.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

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

test.describe('a command while the server runs', () => {
  // security: backup-18
  test('runs in the server, through a socket that only the owner of the data folder can open', async ({
    server,
  }) => {
    expect(statSync(server.dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(socketOf(server)).mode & 0o777).toBe(0o600)
    expect(statSync(socketOf(server)).isSocket()).toBe(true)
    expect(await runCommand(server, 'rotate-keys')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The new signing key is [\w-]{43}\. /),
    })
    // The running server publishes the new key, so the command ran in the server.
    expect((await send(server, 'GET /.well-known/jwks.json')).body.keys).toHaveLength(2)
    const { code, output } = await runCommand(server, 'list-keys')
    expect(code).toBe(0)
    expect(output.match(/ {2}token {2}/g)).toHaveLength(2)
  })

  test('exits with code 1 and prints the reason to standard error', async ({ server }) => {
    expect(await outcomeOf(startCommand(server, 'retire-key', 'none'))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no signing key none that could be retired.\n',
    })
    expect(await runCommand(server, 'limit', 'DUCK-none', 'default')).toMatchObject({ code: 1 })
  })

  test('prints its progress, and the running server shows the result immediately', async ({ server }) => {
    const seeding = startCommand(server, 'seed')
    await seeding.prints('People …')
    expect(seeding.child.exitCode).toBeNull()
    const { code, stdout, stderr } = await outcomeOf(seeding)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').slice(0, 9)).toEqual([
      'People …',
      'Certificates …',
      'Handles …',
      'Agents …',
      'Pecks …',
      'Rules …',
      'Channels and invitations …',
      'Sign-on and webhooks …',
      expect.stringMatching(/^Done\. Sign in as mallard@pond\.example/),
    ])
    const { body } = await send(server, 'GET /beak/spaceducks?limit=100')
    const names = body.items.map(({ display_name: name }: { display_name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['Mallard', 'Eider', 'Teal', 'Pintail', 'Garganey']))
    expect(await runCommand(server, 'seed')).toEqual({ code: 0, output: 'The demo data already exists.\n' })
  })

  test('ends the sessions of a stolen signing key in the running server', async ({ server }) => {
    const { token } = await aPerson(server, 'Stolen')
    expect((await send(server, 'GET /beak/profile', { token })).status).toBe(200)
    const { kid } = JSON.parse(Buffer.from(String(token.split('.')[0]), 'base64url').toString())
    const { code, output } = await runCommand(server, 'distrust-key', kid, '--from', '2026-01-01')
    expect(code).toBe(0)
    expect(output).toMatch(/0 of \d+ sessions ended\n[\s\S]*certificates signed again\nDone\./)
    expect((await send(server, 'GET /beak/profile', { token })).status).toBe(401)
  })

  test('is refused when the command needs a stopped server', async ({ server }) => {
    const { code, output } = await runCommand(server, 'rotate-secret')
    expect(code).toBe(1)
    expect(output).toContain('rotate-secret needs a stopped server.')
    expect(existsSync(join(server.dataDir, 'secret.previous'))).toBe(false)
  })

  test('is refused when the server and the command line have different secrets', async ({ server }) => {
    const { code, output } = await runOperator(
      { DATA_DIR: server.dataDir, BEAK_SECRET: 'a secret that the running server does not have' },
      'reseal',
    )
    expect(code).toBe(1)
    expect(output).toContain('The running server has another BEAK_SECRET')
    expect(await runCommand(server, 'reseal')).toMatchObject({ code: 0 })
  })
})

test.describe('the end of the server', () => {
  test('by SIGKILL leaves a socket that blocks neither a command nor the next server', async ({ start }) => {
    const server = await start()
    // The command starts while the killed process may still be exiting.
    const killed = server.stop('SIGKILL')
    const { code, output } = await runCommand(server, 'list-keys')
    await killed
    expect([code, output]).toEqual([0, expect.stringMatching(/^[\w-]{43} {2}token/)])
    expect(existsSync(socketOf(server))).toBe(true)
    const next = await start({ dataDir: server.dataDir })
    expect(await runCommand(next, 'rotate-keys')).toMatchObject({ code: 0 })
    expect((await send(next, 'GET /.well-known/jwks.json')).body.keys).toHaveLength(2)
    expect(await next.stop()).toBe(0)
    expect(existsSync(socketOf(next))).toBe(false)
  })
})
