/** The archive of `npm run release` on a host that has Node.js and nothing else. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from './own-server'
import { emptyDataDir, send, serviceEnv } from './server'

const manifest: { version: string; devDependencies: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/** The promise of the documentation. systemd stops the service above it. */
const memoryMax = 900 * 1024

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

/** Makes the archive, checks its digest, and unpacks it. Returns its folder. */
function unpackRelease(): string {
  const out = mkdtempSync(join(tmpdir(), 'beak-release-'))
  execFileSync(process.execPath, ['scripts/release.mjs', `--out=${out}`], { env: serviceEnv({}) })
  const archive = join(out, `beak-${manifest.version}.tar.gz`)
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  expect(readFileSync(`${archive}.sha256`, 'utf8')).toBe(`${digest}  ${basename(archive)}\n`)
  const folder = join(out, 'opt')
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  expect(readdirSync(folder)).toEqual([`beak-${manifest.version}`])
  return join(folder, `beak-${manifest.version}`)
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

test('a release runs with Node.js alone, in less than 900 MiB, and has production packages only', async ({
  start,
}) => {
  test.setTimeout(300_000)
  const folder = unpackRelease()
  const packages = Object.keys(manifest.devDependencies).filter((name) =>
    existsSync(join(folder, 'node_modules', name)),
  )
  expect(packages).toEqual([])

  const dataDir = emptyDataDir()
  const pidFile = join(folder, '..', 'pid')
  const endOfWatch = watchMemory(pidFile)
  const env = { PATH: pathOfHost(), LOG_LEVEL: 'warn' }
  const command = ['/bin/sh', '-c', `echo $$ > ${pidFile}; exec ${join(folder, 'beak')} start`]
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
    spawnSync(join(folder, 'beak'), args, {
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
  expect(run('version').stdout).toBe(`${manifest.version}\n`)
  // A file of variables that cannot be read must not start a service with an empty database.
  const missing = run('--env=/nonexistent/beak.env', 'start')
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read (ENOENT)')])
  const variables = join(folder, '..', 'beak.env')
  writeFileSync(variables, 'DATABSE_URL=postgresql://db.example/beak\n')
  expect(run(`--env=${variables}`, 'start').stderr).toContain('did you mean DATABASE_URL?')
})
