/** The packages that a running service hands out, as somebody installs them in an empty folder. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPython } from '@/scripts/verifiers.mjs'
import { expect, test } from './own-server'
import { offlineInstall, packDependencies } from './packed-dependencies'
import { aBondedAgent, aPerson } from './people'
import { eventually, newDataDir, type Server, serviceEnv } from './server'

const run = promisify(execFile)
const env = { BEAK_ROLES: 'api,worker' }

interface Listed {
  name: string
  kind: string
  sha256: string
  size: number
}

async function filesOf({ url }: Server): Promise<Listed[]> {
  const response = await fetch(`${url}/clients/`, { headers: { Accept: 'application/json' } })
  return (await response.json()).files
}

async function addressOf(server: Server, kind: string): Promise<string> {
  const file = (await filesOf(server)).find((one) => one.kind === kind)
  if (file === undefined) throw new Error(`there is no package ${kind}`)
  return `${server.url}/clients/${file.name}`
}

/** The main job: ask, approve, use, and use again. */
const program = `
import { Beak } from '@beak/client'
const { BEAK_URL: url, BEAK_KEY: key, TOKEN: token, DUCKLING_ID: target } = process.env
const [agent, person] = [new Beak({ url, key }), new Beak({ url, token })]
const params = { to: 'pond@example.com' }
const asked = agent.requestPermission({ target, action: 'send:mail', params })
let waiting
while (waiting === undefined) waiting = (await person.listPecks({ status: 'pending' })).items[0]
await person.approvePeck({ peck_id: waiting.peck_id })
const { permission } = await asked
const site = new Beak({ url })
console.log('left', (await site.usePermission(permission, params)).uses_left)
console.log('again', await site.usePermission(permission, params).catch((error) => error.refusal))
`

test('installs the TypeScript client from its address in an empty folder, and does the main job', async ({
  start,
}) => {
  test.setTimeout(180_000)
  const server = await start({ env })
  const folder = mkdtempSync(join(tmpdir(), 'beak-installed-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const archives = await packDependencies(folder)
  const address = await addressOf(server, 'typescript')
  await run('npm', ['install', ...archives, address, ...offlineInstall], { cwd: folder })
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  expect(lock.packages['node_modules/@beak/client'].resolved).toBe(address)

  const person = await aPerson(server, 'Mallard')
  const agent = await aBondedAgent(server, person)
  writeFileSync(join(folder, 'main.mjs'), program)
  const { stdout } = await run(process.execPath, ['main.mjs'], {
    cwd: folder,
    env: serviceEnv({
      BEAK_URL: server.url,
      BEAK_KEY: agent.key,
      TOKEN: person.token,
      DUCKLING_ID: person.id,
    }),
  })
  expect(stdout).toContain('left 0\nagain consumed')
  const { stdout: help } = await run(join(folder, 'node_modules', '.bin', 'beak'), ['--help'])
  expect(help).toContain('Usage: beak <command>')
})

test('installs the Python client from its address', async ({ start }) => {
  const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0
  test.skip(!hasPip, 'python3 has no pip here')
  const server = await start({ env })
  const folder = mkdtempSync(join(tmpdir(), 'beak-installed-'))
  const options = ['--no-deps', '--no-index', '--disable-pip-version-check', '--quiet', '--target', folder]
  await run('python3', ['-m', 'pip', 'install', ...options, await addressOf(server, 'python')])
  const python = findPython(['httpx', 'typing_extensions'], ['python3-httpx', 'python3-typing-extensions'])
  test.skip(python === null, 'the packages that the client needs are not installed')
  const code = 'import sys, beak; print(beak.__file__, beak.Beak(sys.argv[1]).get_status()["status"])'
  const { stdout } = await run(python ?? 'python3', ['-c', code, server.url], {
    env: serviceEnv({ PYTHONPATH: folder }),
  })
  expect(stdout).toContain(folder)
})

test('serves the digests of its list, and has them in the log', async ({ start }) => {
  test.setTimeout(240_000)
  const dataDir = newDataDir()
  const first = await start({ env, dataDir })
  await first.stop()
  // Another port is another address, whose first checkpoint comes at once and has the packages of the first start.
  const server = await start({ env, dataDir })
  const folder = mkdtempSync(join(tmpdir(), 'beak-downloaded-'))
  const files = await filesOf(server)
  expect(files.map(({ kind }) => kind)).toContain('typescript')
  for (const { name, sha256, size } of files) {
    const response = await fetch(`${server.url}/clients/${name}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
    writeFileSync(join(folder, name), bytes)
  }
  const log = `${server.url}/.well-known/tlog`
  const [vkey = ''] = await eventually(async () => {
    const response = await fetch(`${log}/vkeys`)
    return response.ok ? (await response.text()).trim().split('\n') : null
  })
  const check = (name: string) =>
    run(process.execPath, [
      'scripts/run.mjs',
      'clients-check.ts',
      ...['--log', log, '--vkey', vkey, join(folder, name)],
    ]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    )
  // An entry that comes right after a checkpoint waits a minute for the next one.
  for (const { name } of files)
    await expect
      .poll(() => check(name), { timeout: 120_000, intervals: [3_000] })
      .toMatch(/Found {7}entry \d+\n/)
  writeFileSync(join(folder, files[0]?.name ?? ''), 'another file of the same name')
  expect(await check(files[0]?.name ?? '')).toContain('MISSING     The log has no entry of this package.')
})
