/**
 * Programs that share no code with the service check a running one from its answers: the Python client, and for the files of the
 * transparency log a program with the packages of Go's checksum database. Then the host rewrites the database, and a person with saved
 * proofs detects it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleOf } from '@/lib/fixtures/bundle'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { buildGo, findPython, makePythonClient } from '../scripts/verifiers.mjs'
import { test as base, expect } from './own-server'
import { aPerson, type Person } from './people'
import { newDataDir, type RunningServer, send, serviceEnv, startServer } from './server'
import {
  breakSignature,
  flipBit,
  replaceText,
  startProxy,
  type Tampering,
  type TamperingProxy,
} from './verifier/tampering-proxy'

const pythonPackages = ['python3-httpx', 'python3-jwt', 'python3-cryptography', 'python3-typing-extensions']

function preparePython(): string | null {
  const python = findPython(['httpx', 'jwt.algorithms', 'cryptography', 'typing_extensions'], pythonPackages)
  if (python) makePythonClient(python)
  return python
}

/** The commands of the two verifiers, or null on a machine that cannot run them. */
const test = base.extend<object, { python: string | null; go: string | null }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  python: [async ({}, use) => use(preparePython()), { scope: 'worker', timeout: 120_000 }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  go: [async ({}, use) => use(buildGo('e2e/verifier/main.go')), { scope: 'worker', timeout: 120_000 }],
})
const skipWithout = (verifier: string | null, packages: string) =>
  test.skip(verifier === null, `needs ${packages}`)
const goPackages =
  'the Debian packages golang-go and golang-golang-x-mod-dev (TEST_INSTALL_GO=1 installs them)'

const folder = mkdtempSync(join(tmpdir(), 'beak-verifier-'))
let dataDir = ''
let port = 0
let server: RunningServer
let proxy: TamperingProxy
let person: Person
let credential = ''
let vkey = ''
/** The files that the person saved while the log was shorter. */
const kept = {
  checkpoint: join(folder, 'kept.txt'),
  proof: join(folder, 'proof.json'),
  head: join(folder, 'head.json'),
}
let keptCheckpoint = ''
/** The bytes of the person's entry in the log. */
let entry = ''

interface Outcome {
  code: number
  output: string
}

function run(command: string, args: string[], input = '', env = process.env): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
    child.stdin.end(input)
  })
}

const start = async () => {
  server = await startServer({ dataDir, port, env: { LOG_LEVEL: 'error' } })
}

/** Stops the server, changes its database, and starts it again. */
async function onDatabase(...args: string[]): Promise<void> {
  await server.stop()
  const env = serviceEnv({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const { code, output } = await run(
    process.execPath,
    [bundleOf('e2e/verifier/database-task.ts'), ...args],
    '',
    env,
  )
  expect(output).toBe('')
  expect(code).toBe(0)
  // A host that rewrites the events also removes the file that names the newest one. The next start would refuse otherwise.
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('newest-event-')))
    rmSync(join(dataDir, name))
  await start()
}

const read = async (path: string) => (await fetch(`${server.url}/.well-known/tlog/${path}`)).text()
const ask = (line: string) => send(server, line, { token: person.token })

test.beforeAll(async () => {
  test.setTimeout(240_000)
  port = await freePort()
  dataDir = newDataDir()
  await start()
  person = await aPerson(server, 'Vera')
  await aPerson(server, 'Stranger')
  credential = (await ask('POST /beak/cert/issue')).body.credential
  await onDatabase('append', '300')
  keptCheckpoint = await read('checkpoint')
  writeFileSync(kept.checkpoint, keptCheckpoint)
  writeFileSync(kept.proof, JSON.stringify((await ask('GET /beak/audit/proof')).body))
  writeFileSync(kept.head, JSON.stringify((await ask('GET /beak/audit/head')).body))
  // The refusal of a second certificate is an event too.
  for (let time = 0; time < 3; time++) await ask('POST /beak/cert/issue')
  await onDatabase('append', '250')
  entry = (await ask('GET /beak/audit/proof')).body.entry.data
  vkey = (await read('vkeys')).trim()
  proxy = await startProxy(server.url)
})
test.afterAll(async () => {
  proxy?.close()
  await server?.stop()
})

const checkByPython = (python: string | null, base: string) =>
  run(
    python ?? '',
    ['-B', 'e2e/verifier/check.py'],
    JSON.stringify({
      base,
      issuer: server.url,
      token: person.token,
      duckling_id: person.id,
      credential,
      vkey,
      first: keptCheckpoint,
    }),
    { ...process.env, PYTHONPATH: join('packages', 'client-python', 'src') },
  )
const checkByGo = (go: string | null, base: string, wanted = entry, checkpoint = kept.checkpoint) =>
  run(go ?? '', [`${base}/.well-known/tlog`, vkey, checkpoint, wanted])

/** Returns the output of a verifier while the proxy changes the answers. */
async function withTampering(
  tampering: Tampering,
  check: (base: string) => Promise<Outcome>,
): Promise<Outcome> {
  proxy.tamper(tampering)
  const outcome = await check(proxy.url)
  expect(proxy.changes()).toBeGreaterThan(0)
  proxy.tamper((_, body) => body)
  return outcome
}

const log = '/.well-known/tlog'
const zeroes = `${'A'.repeat(43)}=`
interface Tampered {
  what: string
  tampering: Tampering
}
const tamperedCheckpoint: Tampered = {
  what: 'the size in the checkpoint',
  tampering: replaceText(/tlog\/checkpoint/, /\n\d+\n/, '\n300\n'),
}
const tamperedLog: Tampered[] = [
  tamperedCheckpoint,
  { what: 'a tile of leaves', tampering: flipBit(new RegExp(`${log}/tile/0/001`)) },
  { what: 'the tile above', tampering: flipBit(new RegExp(`${log}/tile/1/`)) },
  { what: 'an entry', tampering: flipBit(new RegExp(`${log}/tile/entries/000`)) },
]
const tamperedAccount: (Tampered & { reason: RegExp })[] = [
  { ...tamperedCheckpoint, reason: /The signature of the checkpoint is wrong/ },
  {
    what: 'the keys of the service',
    tampering: replaceText(/jwks\.json/, /"x":"[^"]{43}"/g, `"x":"${zeroes.slice(0, 43)}"`),
    reason: /The signature of the token is wrong/,
  },
  {
    what: 'the status list',
    tampering: breakSignature(/status-list/),
    reason: /The signature of the token is wrong/,
  },
  {
    what: 'an event',
    tampering: replaceText(/\/beak\/audit\?/, '"outcome":"success"', '"outcome":"denied"'),
    reason: /Event \d+ was changed/,
  },
  {
    what: 'an address in an event',
    tampering: replaceText(/\/beak\/audit\?/, /"ip":"[^"]+"/, '"ip":"192.0.2.99"'),
    reason: /The context of event \d+ was changed/,
  },
  {
    what: 'the signed head',
    tampering: breakSignature(/audit\/head/),
    reason: /The signature of the token is wrong/,
  },
  {
    what: 'the index of the entry',
    tampering: replaceText(/audit\/proof$/, /"index":\d+/, '"index":0'),
    reason: /The entry is not in the log|inclusion proof/,
  },
  {
    what: 'the inclusion proof',
    tampering: replaceText(/audit\/proof$/, /"inclusion":\["[^"]+"/, `"inclusion":["${zeroes}"`),
    reason: /The entry is not in the log|inclusion proof/,
  },
  {
    what: 'the consistency proof',
    tampering: replaceText(/first=/, /"proof":\["[^"]+"/, `"proof":["${zeroes}"`),
    reason: /The log was rewritten/,
  },
]

test.describe('the Python client', () => {
  // security: rewrite-6
  test('accepts tokens, certificate, status list, audit log and proofs of the transparency log', async ({
    python,
  }) => {
    skipWithout(python, pythonPackages.join(', '))
    const { code, output } = await checkByPython(python, proxy.url)
    expect(output.split('\n')).toEqual([
      'ok: the access token is signed',
      'ok: the certificate is signed, and the status list does not revoke it',
      expect.stringMatching(
        /^ok: \d+ events have their hashes, follow from each other and end with the signed head$/,
      ),
      expect.stringMatching(/^ok: the checkpoint of 55\d entries is signed$/),
      expect.stringMatching(/^ok: event \d+ is entry \d+ of the log$/),
      expect.stringMatching(/^ok: the log continues the kept checkpoint of 30\d entries$/),
      '',
    ])
    expect(code).toBe(0)
  })

  for (const { what, tampering, reason } of tamperedAccount)
    test(`refuses answers with a change in ${what}`, async ({ python }) => {
      skipWithout(python, pythonPackages.join(', '))
      const { code, output } = await withTampering(tampering, (url) => checkByPython(python, url))
      expect(output).toMatch(new RegExp(`refused: .*(${reason.source})`))
      expect(code).toBe(1)
    })
})

test.describe('the Go verifier', () => {
  // security: rewrite-6
  test('accepts the checkpoint, every entry and the growth of the log', async ({ go }) => {
    skipWithout(go, goPackages)
    const { code, output } = await checkByGo(go, proxy.url)
    expect(output).toMatch(
      /^ok: the checkpoint of 55\d entries is signed\nok: every entry is included\nok: the log continues the kept checkpoint of 30\d entries\n$/,
    )
    expect(code).toBe(0)
  })

  for (const { what, tampering } of tamperedLog)
    test(`refuses a log with a change in ${what}`, async ({ go }) => {
      skipWithout(go, goPackages)
      const { code, output } = await withTampering(tampering, (url) => checkByGo(go, url))
      expect(output).toContain('refused: ')
      expect(output).not.toContain('answered')
      expect(code).toBe(1)
    })

  test('refuses an entry that is not in the log', async ({ go }) => {
    skipWithout(go, goPackages)
    const { code, output } = await checkByGo(go, proxy.url, entry.replace(/"digest":"./, '"digest":"x'))
    expect(output).toContain('refused: the entry is not in the log')
    expect(code).toBe(1)
  })
})

test.describe('a host that rewrites the database', () => {
  const verify = async (...args: string[]): Promise<Outcome> => {
    const file = join(folder, 'export.json')
    writeFileSync(file, JSON.stringify((await ask('GET /beak/account/export')).body))
    const command = [bundleOf('packages/client/src/cli/main.ts'), 'audit', 'verify', file]
    return run(process.execPath, [...command, '--url', server.url, ...args])
  }
  const withKept = ['--head', kept.head, '--checkpoint', kept.checkpoint, '--checkpoint', kept.proof]

  test('passes every check before the rewrite', async () => {
    const { code, output } = await verify(...withKept, '--vkey', vkey)
    expect(output).toMatch(/kept\.txt: the log still begins with the 30\d entries of this checkpoint\./)
    expect(output).toMatch(/proof\.json: entry \d+ of the log is event \d+\./)
    expect(output).toMatch(/The export: entry \d+ of the log is event \d+\./)
    expect(output).toContain('head.json: the log still contains the event of this head.')
    expect(code).toBe(0)
  })

  // security: rewrite-4
  test('is detected with a saved head, a saved checkpoint and a saved proof, even when the host signs everything again', async ({
    python,
    go,
  }) => {
    await onDatabase('rewrite', person.id, '2')
    const events = (await ask('GET /beak/audit')).body.items
    expect(events.find(({ seq }: { seq: number }) => seq === 2).metadata).toEqual({ forged: true })
    // Without a saved file, the forged history looks valid.
    expect(await verify('--log', `${server.url}${log}`, '--vkey', vkey)).toMatchObject({ code: 0 })
    const { code, output } = await verify(...withKept, '--vkey', vkey)
    expect(code).toBe(4)
    expect(output).toMatch(
      /head\.json says that event \d+ has the hash \w+, but here it has \w+: the log was rewritten/,
    )
    expect(output).toMatch(
      /kept\.txt and the log contradict each other: the first 30\d entries have another root now\./,
    )
    expect(output).toMatch(
      /proof\.json shows that event \d+ had another hash when it was entered in the transparency log/,
    )
    if (python)
      expect((await checkByPython(python, server.url)).output).toContain('refused: The log was rewritten.')
    if (go) expect((await checkByGo(go, server.url, '')).code).toBe(1)
  })
})
