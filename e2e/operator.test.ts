/** `npm run operator` and `npm run seed` beside the built server with the embedded database, and after its end. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningOperator, runOperator, startOperator } from '@/lib/fixtures/operator'
import { aPerson, type RunningServer, send, startServer, stopAll } from './server'

const socketOf = ({ dataDir }: { dataDir: string }) => join(dataDir, 'operator.sock')
const operator = ({ dataDir }: { dataDir: string }, ...args: string[]) =>
  runOperator({ DATA_DIR: dataDir }, ...args)
const begin = ({ dataDir }: { dataDir: string }, ...args: string[]) =>
  startOperator({ DATA_DIR: dataDir }, ...args)
const everything = async ({ stdout, stderr, ended }: RunningOperator) => ({
  code: await ended,
  stdout: stdout(),
  stderr: stderr(),
})

describe('a command beside the running server', { timeout: 240_000 }, () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(stopAll)

  it('runs in the server, through a socket that only the owner of the data folder can open', async () => {
    expect(statSync(server.dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(socketOf(server)).mode & 0o777).toBe(0o600)
    expect(statSync(socketOf(server)).isSocket()).toBe(true)
    expect(await operator(server, 'rotate-keys')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The new signing key is [\w-]{43}\. /),
    })
    // The server knows the key at once, so the command ran in the server.
    expect((await send(server, 'GET /.well-known/jwks.json')).body.keys).toHaveLength(2)
    const { code, output } = await operator(server, 'list-keys')
    expect(code).toBe(0)
    expect(output.match(/ {2}token {2}/g)).toHaveLength(2)
  })

  it('ends with exit code 1 and says why on standard error', async () => {
    expect(await everything(begin(server, 'retire-key', 'none'))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no signing key none that could be retired.\n',
    })
    expect(await operator(server, 'limit', 'DUCK-none', 'default')).toMatchObject({ code: 1 })
  })

  it('shows its progress, and what it makes is there at once', async () => {
    const seeding = begin(server, 'seed')
    await seeding.prints('People …')
    expect(seeding.child.exitCode).toBeNull()
    const { code, stdout, stderr } = await everything(seeding)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      'People …',
      'Certificates …',
      'Agents …',
      'Pecks …',
      'Sign-on and webhooks …',
      expect.stringMatching(/^Done\. Sign in as mallard@pond\.example/),
    ])
    const { body } = await send(server, 'GET /beak/spaceducks?limit=100')
    const names = body.items.map(({ display_name: name }: { display_name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['Mallard', 'Eider', 'Teal', 'Pintail', 'Garganey']))
    expect(await operator(server, 'seed')).toEqual({ code: 0, output: 'The demo world is here already.\n' })
  })

  it('ends the sessions of a stolen key in the running server', async () => {
    const { token } = await aPerson(server, 'Stolen')
    expect((await send(server, 'GET /beak/profile', { token })).status).toBe(200)
    const { kid } = JSON.parse(Buffer.from(String(token.split('.')[0]), 'base64url').toString())
    const { code, output } = await operator(server, 'distrust-key', kid, '--from', '2026-01-01')
    expect(code).toBe(0)
    expect(output).toMatch(/0 of \d+ sessions ended\n[\s\S]*certificates signed again\nDone\./)
    expect((await send(server, 'GET /beak/profile', { token })).status).toBe(401)
  })

  it('is refused when it needs a stopped server', async () => {
    const { code, output } = await operator(server, 'rotate-secret')
    expect(code).toBe(1)
    expect(output).toContain('rotate-secret needs a stopped server.')
    expect(existsSync(join(server.dataDir, 'secret.previous'))).toBe(false)
  })

  it('is refused when it would encrypt with another secret than the command line has', async () => {
    const { code, output } = await runOperator(
      { DATA_DIR: server.dataDir, BEAK_SECRET: 'a secret that the running server does not have' },
      'reseal',
    )
    expect(code).toBe(1)
    expect(output).toContain('The running server has another BEAK_SECRET')
    expect(await operator(server, 'reseal')).toMatchObject({ code: 0 })
  })
})

describe('two commands and a client that disappears', { timeout: 240_000 }, () => {
  afterEach(stopAll)

  it('runs a second command after the first, whose client was killed', async () => {
    const server = await startServer()
    const seeding = begin(server, 'seed')
    await seeding.prints('People …')
    seeding.child.kill('SIGKILL')
    expect(await seeding.ended).toBeNull()
    const again = await everything(begin(server, 'seed'))
    expect(again).toEqual({
      code: 0,
      stdout: 'The demo world is here already.\n',
      stderr: 'Waiting until seed has ended.\n',
    })
    expect(await server.stop()).toBe(0)
  })
})

describe('the end of the server', { timeout: 240_000 }, () => {
  afterEach(stopAll)

  it('by SIGTERM ends a running command, removes the socket, and leaves the database to commands', async () => {
    const server = await startServer()
    const seeding = begin(server, 'seed')
    await seeding.prints('People …')
    expect(await server.stop()).toBe(0)
    const { code, stdout, stderr } = await everything(seeding)
    // The grace of five seconds may be enough for the whole demo world.
    if (code === 0) expect(stdout).toContain('Done. Sign in as')
    else expect([code, stderr]).toEqual([1, expect.stringContaining('stopped before the command had ended')])
    expect(existsSync(socketOf(server))).toBe(false)
    expect(existsSync(join(server.dataDir, 'lock'))).toBe(false)
    expect(await operator(server, 'list-keys')).toMatchObject({ code: 0 })
  })

  it('by SIGKILL leaves a socket that stops neither a command nor the next server', async () => {
    const server = await startServer()
    // The command begins while the killed process may still be ending.
    const killed = server.stop('SIGKILL')
    const { code, output } = await operator(server, 'list-keys')
    await killed
    expect([code, output]).toEqual([0, expect.stringMatching(/^[\w-]{43} {2}token/)])
    expect(existsSync(socketOf(server))).toBe(true)
    const next = await startServer({ dataDir: server.dataDir })
    expect(await operator(next, 'rotate-keys')).toMatchObject({ code: 0 })
    expect((await send(next, 'GET /.well-known/jwks.json')).body.keys).toHaveLength(2)
    expect(await next.stop()).toBe(0)
    expect(existsSync(socketOf(next))).toBe(false)
  })
})
