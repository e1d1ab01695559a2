/** The archive of `npm run release` on a host that has Node.js and nothing else. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client } from 'pg'
import { readSource, tableRows } from '@/lib/fixtures/source-files'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { findProgram } from '@/scripts/verifiers.mjs'
import { commandIn, runImageSteps } from './image-steps'
import { expect, test } from './own-server'
import { emptyDataDir, send, serviceEnv } from './server'

const manifest: { version: string; devDependencies: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/** A machine that runs the tests may have a service, whose variables must not be read. */
const noFile = '--env=/dev/null'

/** The documentation says 375 MiB. A start that had to create the database would use 840, and systemd stops the service above 900. */
const memoryMax = 600 * 1024

/** Returns a folder with the only programs that a host needs: Node.js, and three that each system has. No npm. */
function pathOfHost(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-host-path-'))
  symlinkSync(process.execPath, join(folder, 'node'))
  for (const name of ['sh', 'dirname', 'readlink']) {
    const path = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    symlinkSync(path.trim(), join(folder, name))
  }
  return folder
}

/** The folder of the archive. */
let out: string
/** The version of the archive, which has the commit of a build that is no release. */
let version: string

test.beforeAll(() => {
  test.setTimeout(300_000)
  out = mkdtempSync(join(tmpdir(), 'beak-release-'))
  // The user of the image must reach its folder.
  chmodSync(out, 0o755)
  execFileSync(process.execPath, ['scripts/release.mjs', `--out=${out}`], { env: serviceEnv({}) })
  version = readdirSync(out).flatMap((name) => /^beak-(.+)\.tar\.gz$/.exec(name)?.[1] ?? [])[0] ?? ''
  expect(version).toMatch(new RegExp(`^${manifest.version}(-g[0-9a-f]{10}(-dirty)?)?$`))
})

test.afterAll(() => rmSync(out, { recursive: true, force: true }))

/** Checks the digest of the archive and unpacks it. Returns its folder. */
function unpackRelease(): string {
  const archive = join(out, `beak-${version}.tar.gz`)
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  expect(readFileSync(`${archive}.sha256`, 'utf8')).toBe(`${digest}  ${basename(archive)}\n`)
  const folder = mkdtempSync(join(out, 'opt-'))
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  expect(readdirSync(folder)).toEqual([`beak-${version}`])
  return join(folder, `beak-${version}`)
}

/** Returns the memory of a process and of its children in KiB, where pages that several share count once. Zero after its end. */
function memoryOf(pid: string): number {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  try {
    const own = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
    const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + memoryOf(child), own)
  } catch {
    return 0
  }
}

/** Measures a process, whose id is the content of a file, many times a second. Returns a function that ends and returns the maximum. */
function watchMemory(pidFile: string): () => number {
  let most = 0
  const timer = setInterval(() => {
    if (existsSync(pidFile)) most = Math.max(most, memoryOf(readFileSync(pidFile, 'utf8').trim()))
  }, 40)
  return () => {
    clearInterval(timer)
    return most
  }
}

test('a release runs with Node.js alone, in less than 600 MiB, and has production packages only', async ({
  start,
}) => {
  test.setTimeout(300_000)
  const folder = unpackRelease()
  const forBuild = tableRows(readSource('docs/dependencies.md'), 'For the build').map(([name = '']) => name)
  expect(forBuild).toContain('typescript')
  // A package that the tests name may be one that a package of the service needs too.
  const lock = JSON.parse(readSource('package-lock.json')).packages
  const forTests = Object.keys(manifest.devDependencies).filter((name) => {
    const { dev, devOptional } = lock[`node_modules/${name}`]
    return dev || devOptional
  })
  expect(forTests).toContain('vitest')
  const packages = [...forTests, ...forBuild].filter((name) => existsSync(join(folder, 'node_modules', name)))
  expect(packages).toEqual([])

  const dataDir = emptyDataDir()
  const pidFile = join(folder, '..', 'pid')
  const endOfWatch = watchMemory(pidFile)
  const env = { PATH: pathOfHost(), LOG_LEVEL: 'warn' }
  const command = ['/bin/sh', '-c', `echo $$ > ${pidFile}; exec ${join(folder, 'beak')} ${noFile} start`]
  const server = await start({ dataDir, env, command })

  const password = 'nine geese on a cold pond'
  const person = { email: 'nadia@example.com', display_name: 'Nadia', password }
  expect((await send(server, 'POST /beak/signup', { body: person })).status).toBe(200)
  for (const path of ['/', '/docs/hosts/server', '/docs/versions', '/docs/contract', '/opengraph-image']) {
    const page = await fetch(`${server.url}${path}`)
    expect([path, page.status]).toEqual([path, 200])
    const [style] = /\/_next\/static\/[^"]+\.css/.exec(await page.text()) ?? []
    if (style !== undefined) expect((await fetch(`${server.url}${style}`)).status).toBe(200)
  }
  expect((await send(server, 'GET /clients/index.json')).body.files).toContainEqual(
    expect.objectContaining({ kind: 'typescript' }),
  )
  const used = endOfWatch()
  expect(used).toBeGreaterThan(100 * 1024)
  expect(used).toBeLessThan(memoryMax)
  console.log(`the release used ${Math.round(used / 1024)} MiB`)

  const run = (...args: string[]) =>
    spawnSync(join(folder, 'beak'), args[0]?.startsWith('--env') ? args : [noFile, ...args], {
      encoding: 'utf8',
      env: { ...env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: String(server.port) },
    })
  const doctor = run('operator', 'doctor')
  expect(doctor.stdout).toMatch(/^ok +pages +built$/m)
  expect(doctor.stdout).toContain('./beak operator backup')
  expect(await server.stop()).toBe(0)
  // Now the command opens the database itself.
  expect(run('operator', 'actions')).toMatchObject({ status: 0, stderr: '' })
  expect(run('witness').stderr).toContain('Usage: ./beak witness --log')
  expect(run('version').stdout).toBe(`${version}\n`)
  // A file of variables that cannot be read must not start a service with an empty database.
  const missing = run('--env=/nonexistent/beak.env', 'start')
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read (ENOENT)')])
  const variables = join(folder, '..', 'beak.env')
  writeFileSync(variables, 'DATABSE_URL=postgresql://db.example/beak\n')
  expect(run(`--env=${variables}`, 'start').stderr).toContain('did you mean DATABASE_URL?')
})

test('the steps of the Dockerfile make a folder in which the service runs without npm, as a user who can write only to /data', async ({
  start,
}) => {
  test.setTimeout(300_000)
  test.skip(
    process.getuid?.() !== 0 || process.platform !== 'linux',
    'not run: needs root on Linux, for chroot',
  )
  const context = mkdtempSync(join(out, 'context-'))
  mkdirSync(join(context, 'build', 'release'), { recursive: true })
  cpSync('Dockerfile', join(context, 'Dockerfile'))
  for (const suffix of ['', '.sha256'])
    cpSync(
      join(out, `beak-${version}.tar.gz${suffix}`),
      join(context, 'build', 'release', `beak-${version}.tar.gz${suffix}`),
    )
  const image = runImageSteps(out, context, { VERSION: version })
  const all = readdirSync(image.root, { recursive: true }).map(String)
  expect(all.filter((path) => /(^|\/)(npm|npx|yarn)$/.test(path))).toEqual([])

  const env = { PATH: '/usr/local/bin:/bin', LOG_LEVEL: 'warn' }
  const server = await start({
    dataDir: '/data',
    env: { ...env, ...image.env },
    command: commandIn(image, image.command),
  })
  expect((await fetch(`${server.url}/signin`)).status).toBe(200)
  const run = (...command: string[]) => {
    const [program = '', ...args] = commandIn(image, command)
    return spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...env, ...image.env, NODE_ENV: 'production', PORT: String(server.port) },
    })
  }
  expect(run(...image.health)).toMatchObject({ status: 0, stderr: '' })
  expect(run('beak', 'operator', 'doctor').stdout).toMatch(/^ok +database +embedded/m)
  expect(run('sh', '-c', 'echo 1 > /opt/beak/new').status).not.toBe(0)
  // A second container with the same folder, which cannot see the processes of the first one.
  const second = spawnSync('/usr/bin/unshare', ['--pid', '--fork', ...commandIn(image, image.command)], {
    encoding: 'utf8',
    env: { ...env, ...image.env, NODE_ENV: 'production', PORT: String(await freePort()) },
  })
  expect([second.status, second.stderr]).toEqual([
    1,
    expect.stringContaining('/data is in use by a service in another container'),
  ])
  const written = execFileSync(
    'find',
    [image.root, '-user', '1000', '-not', '-path', join(image.root, 'data', '*')],
    { encoding: 'utf8' },
  )
  expect(written.trim()).toBe(join(image.root, 'data'))
  expect(await server.stop()).toBe(0)
  expect(run(...image.health)).toMatchObject({ status: 1, stderr: expect.stringContaining('no answer') })
})

test('deploy/ makes secrets and roles with which instances run on PostgreSQL that cannot change the list of migrations', async ({
  start,
}) => {
  test.setTimeout(300_000)
  const { TEST_DATABASE_URL: url = '' } = process.env
  test.skip(!URL.canParse(url) || findProgram('psql') === null, 'not run: needs TEST_DATABASE_URL and psql')
  const folder = unpackRelease()
  const { hostname, port, username, password, host } = new URL(url)
  const suffix = `_${randomBytes(4).toString('hex')}`
  // The cluster of the tests has other databases and roles.
  const ours = (text: string) =>
    text.replace(/\b(beak_owner|beak_service|DATABASE beak|connect beak|\/beak)\b/g, `$1${suffix}`)
  const deploy = (name: string) => join(folder, 'deploy', name)
  const secrets = join(folder, 'secrets')
  const secretOf = (name: string) => readFileSync(join(secrets, name), 'utf8')
  execFileSync(deploy('make-secrets.sh'), [secrets])
  for (const name of ['owner_database_url', 'database_url']) {
    rmSync(join(secrets, `${name}`), { force: true })
    const role = name === 'database_url' ? 'service' : 'owner'
    writeFileSync(
      join(secrets, name),
      ours(`postgresql://beak_${role}:${secretOf(`${role}_password`)}@${host}/beak`),
    )
  }
  const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'production' as const, SECRETS: secrets }
  const server = {
    PGHOST: hostname.replace(/[[\]]/g, ''),
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  }
  execFileSync('sh', ['-s'], {
    input: ours(readFileSync(deploy('postgres-roles.sh'), 'utf8')),
    env: { ...env, ...server, POSTGRES_USER: username },
  })

  const files = {
    BEAK_SECRET_FILE: join(secrets, 'beak_secret'),
    DATABASE_URL_FILE: join(secrets, 'database_url'),
  }
  const owner = { ...files, DATABASE_URL_FILE: join(secrets, 'owner_database_url') }
  execFileSync(join(folder, 'beak'), [noFile, 'operator', 'migrate'], { env: { ...env, ...owner } })
  const command = [join(folder, 'beak'), noFile, 'start']
  const instances = await Promise.all([start({ command, env: files }), start({ command, env: files })])
  const [first, second] = instances
  const joined = await send(first, 'POST /beak/signup', {
    body: { email: 'nadia@example.com', display_name: 'Nadia' },
  })
  expect(joined.status).toBe(200)
  for (const { output } of instances) expect(output()).not.toMatch(/owns the tables|is a superuser/)
  expect((await send(second, 'GET /beak/spaceducks')).status).toBe(200)

  const client = new Client({ connectionString: secretOf('database_url') })
  await client.connect()
  for (const statement of [
    'DELETE FROM _prisma_migrations',
    'CREATE TABLE t (a int)',
    'ALTER TABLE "AuditEvent" DISABLE TRIGGER ALL',
  ])
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
  await client.end()
  for (const instance of instances) expect(await instance.stop()).toBe(0)
})
