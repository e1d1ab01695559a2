/** The service behind a real PgBouncer, as docs/pages/hosts/capacity.md says. Runs only with `TEST_DATABASE_URL`. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { findProgram } from '@/scripts/verifiers.mjs'
import { expect, test } from './own-server'
import { anAgent, aPerson, bond } from './people'
import { eventually, send } from './server'

const url = process.env.TEST_DATABASE_URL ?? ''
const name = `beak_e2e_${randomBytes(4).toString('hex')}`
const page = readFileSync('docs/pages/hosts/capacity.md', 'utf8')
const running = new Set<ChildProcess>()
test.afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

async function runSql(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const directUrl = () => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** Starts PgBouncer with these lines of configuration, and returns the address of the database through it. */
async function startPooler(program: string, lines: string): Promise<string> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'beak-pgbouncer-')), await freePort()]
  const { hostname, port: serverPort, username, password } = new URL(url)
  const login = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]\n* = host=${hostname} port=${serverPort} user=${username}${login}\n${lines}\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\n`,
  )
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  running.add(spawn(program, [file], { stdio: 'ignore', ...identity }))
  const through = `postgresql://${username}@127.0.0.1:${port}/${name}`
  await eventually(async () => {
    const client = new Client({ connectionString: through })
    return client.connect().then(
      () => client.end().then(() => true),
      () => null,
    )
  })
  return through
}

test.skip(url === '', 'needs TEST_DATABASE_URL')
test.beforeAll(() => runSql(`CREATE DATABASE ${name}`))
test.afterAll(() => runSql(`DROP DATABASE ${name} WITH (FORCE)`))

test('works behind PgBouncer as the page says, and says what is missing', async ({ start }) => {
  test.setTimeout(300_000)
  const program = findProgram('pgbouncer')
  test.skip(program === null, 'not run: pgbouncer is not installed and could not be')
  const [, minor = '0'] = /PgBouncer 1\.(\d+)/.exec(execFileSync('pgbouncer', ['--version']).toString()) ?? []
  const [, documented = ''] = /```text shown\n(\[pgbouncer\][\s\S]*?)```/.exec(page) ?? []
  // Before 1.21, statements that are prepared by name work only when each client has a connection of its own.
  const lines =
    Number(minor) >= 21
      ? documented
      : documented.replace('= transaction', '= session').replace(/^max_prepared.*\n/m, '')
  const env = (DATABASE_URL: string) => ({
    BEAK_ROLES: 'api,worker',
    BEAK_SECRET: 'a secret of more than 32 bytes for this test',
    DATABASE_DIRECT_URL: directUrl(),
    DATABASE_WAIT: '0',
    DATABASE_URL,
  })

  const strict = await startPooler(program ?? '', lines.replace(/^ignore_startup_parameters.*\n/m, ''))
  await expect(start({ env: env(strict) })).rejects.toThrow(
    /PgBouncer does not take the settings of this service: .*\. Add "ignore_startup_parameters = options"/,
  )

  const through = await startPooler(program ?? '', lines)
  const unset = await start({ env: env(through) })
  await eventually(() =>
    /a pooler leaves out these settings: .*statement_timeout/.test(unset.output()) ? true : null,
  )
  await unset.stop()

  const statements = [...page.matchAll(/^ALTER DATABASE beak SET .*;$/gm)].map(([line]) =>
    line.replace('DATABASE beak', `DATABASE ${name}`),
  )
  await runSql(...statements)
  for (const child of running) child.kill('SIGKILL')
  const server = await start({ env: env(await startPooler(program ?? '', lines)) })
  expect(server.output()).not.toContain('a pooler leaves out')
  const owner = await aPerson(server, 'Nadia')
  const agent = await anAgent(server, owner)
  await bond(server, agent)
  const reads = await Promise.all(
    Array.from({ length: 200 }, () => send(server, 'GET /beak/profile', { token: owner.token })),
  )
  expect(reads.filter(({ status }) => status !== 200)).toEqual([])
  const body = { target_duckling_id: owner.id, action: 'read:calendar', scope: 'limited' }
  expect((await send(server, 'POST /beak/peck/request', { key: agent.key, body })).status).toBe(200)
})
