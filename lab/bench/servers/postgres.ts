/** The PostgreSQL server of the benchmark: one that is named or found, or one that is started from installed binaries. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { atEnd } from '../cleanup'
import { settings } from '../settings'
import { freePort } from './free-port'

export interface Postgres {
  version: string
  /** What to know about the durability of its commits. */
  durability: string
  /** Creates an empty database, which is dropped at the end. Returns its address. */
  createDatabase(name: string): Promise<string>
  /** Returns the processes that serve a database. */
  backends(databaseUrl: string): Promise<number[]>
}

async function connect(url: string, timeoutMs: number): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch {
    await client.end().catch(() => undefined)
    return null
  }
}

/** Calls `work` with a connection, which is closed afterwards. */
export async function withClient(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function serve(client: pg.Client, adminUrl: string): Promise<Postgres> {
  atEnd(() => client.end())
  const show = async (name: string) => String((await client.query(`SHOW ${name}`)).rows[0]?.[name])
  const durability = `fsync ${await show('fsync')}, synchronous_commit ${await show('synchronous_commit')}`
  return {
    version: await show('server_version'),
    durability,
    async createDatabase(name) {
      const database = `beak_bench_${process.pid}_${name}`
      await client.query(`CREATE DATABASE ${database}`)
      atEnd(async () => void (await client.query(`DROP DATABASE ${database} WITH (FORCE)`)))
      return databaseUrl(adminUrl, database)
    },
    async backends(url) {
      const { rows } = await client.query<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE datname = $1',
        [new URL(url).pathname.slice(1)],
      )
      // The server may run on another machine, or in a container with its own process ids.
      return rows.map(({ pid }) => pid).filter(isPostgresProcess)
    },
  }
}

function isPostgresProcess(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
  } catch {
    return false
  }
}

/** Returns the folder of the newest installed server, or null. */
function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Number.isFinite) : []
  const folders = versions
    .sort((left, right) => right - left)
    .map((version) => join(debian, String(version), 'bin'))
  folders.push(...(process.env.PATH ?? '').split(delimiter))
  const hasServer = (folder: string) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program)))
  return folders.find(hasServer) ?? null
}

/** Returns the account that runs the server. PostgreSQL refuses to run as root. */
function serverAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find(([found]) => found === name))
    .find(Boolean)
  if (!account)
    throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody".')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

async function startServer(): Promise<Postgres | null> {
  const binaries = findBinaries()
  if (binaries === null) return null
  const account = serverAccount()
  const folder = mkdtempSync(join(tmpdir(), 'beak-bench-pg-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  if (account) chownSync(folder, account.uid, account.gid)
  const options = { stdio: 'ignore', cwd: folder, ...account } as const
  const data = join(folder, 'data')
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], options)
  const port = await freePort()
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    options,
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  atEnd(async () => {
    child.kill('SIGINT')
    await ended
  })
  const url = `postgres://bench@127.0.0.1:${port}/postgres`
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const client = await connect(url, 1_000)
    if (client) return serve(client, url)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The PostgreSQL server that the benchmark started does not answer.')
}

/** Returns the server to measure on, or null when there is none. Throws when BENCH_DATABASE_URL does not answer. */
export async function openPostgres(): Promise<Postgres | null> {
  if (settings.databaseUrl !== null) {
    const client = await connect(settings.databaseUrl, 5_000)
    if (client === null) throw new Error('BENCH_DATABASE_URL: no PostgreSQL server answers there.')
    return serve(client, settings.databaseUrl)
  }
  for (const user of new Set(['postgres', process.env.USER || 'postgres'])) {
    const url = `postgres://${user}@127.0.0.1:5432/postgres`
    const client = await connect(url, 1_000)
    if (client) return serve(client, url)
  }
  return startServer()
}
