/** The package as a developer gets it: with `npx` from an address, in an empty folder, without a registry. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shopCode } from '@beak/client/trust'
import { verifyOutcome } from '@beak/client/verify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { announced, callsTo, type DevProcess, endOf } from '@/lib/fixtures/dev-service'
import { makeDevPackage } from '@/scripts/dev-package/make.mjs'
import type { Announcement } from './service'

const folder = mkdtempSync(join(tmpdir(), 'beak-dev-package-'))
let name: string
let child: DevProcess
let dev: Announcement

beforeAll(async () => {
  name = await makeDevPackage(folder)
  const files = createServer((request, response) =>
    response.end(readFileSync(join(folder, request.url ?? '/'))),
  )
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/${name}`
  for (const empty of ['here', 'home', 'tmp']) mkdirSync(join(folder, empty))
  const started = performance.now()
  child = spawn('npx', ['--yes', address, '--json', '--port', '0'], {
    cwd: join(folder, 'here'),
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      NODE_ENV: 'test',
      // Nothing listens there.
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_update_notifier: 'false',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  dev = await announced(child)
  // No test of it: the goal is 15 s on an idle machine, and other tests run beside this one.
  process.stdout.write(`beak-dev answered ${((performance.now() - started) / 1000).toFixed(1)} s after npx\n`)
  files.close()
}, 180_000)

afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it('has the same bytes each time', { timeout: 120_000 }, async () => {
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  const again = join(folder, 'again')
  mkdirSync(again)
  expect(digest(join(again, await makeDevPackage(again)))).toBe(digest(join(folder, name)))
})

it('plays all test accounts, and receipts verify only where tests are allowed', async () => {
  const call = callsTo(dev)
  const { code, code_hash } = shopCode()
  const ask = async (handle: string, more: object = {}) => {
    const request = { target_duckling_id: handle, action: 'send:mail', scope: 'limited', ...more }
    return (await call('POST /beak/peck/request', request)).body.peck_id as string
  }
  const approved = await ask('@always-approves')
  const rejected = await ask('@always-rejects')
  const unanswered = await ask('@never-answers')
  const delayed = await ask('@approves-in-5s')
  const coded = await ask('@asks-for-a-code', { code_hash })
  const read = async (id: string, wait = 20) =>
    (await call(`GET /beak/peck/status?peck_id=${id}&wait=${wait}`)).body.status
  expect([await read(approved), await read(rejected)]).toEqual(['approved', 'rejected'])
  await call('POST /beak/test/code', { peck_id: coded, code })
  expect([await read(unanswered, 0), await read(coded)]).toEqual(['pending', 'approved'])
  await call('POST /beak/test/clock', { advance: 5 })
  expect(await read(delayed, 0)).toBe('approved')

  const { body: receipt } = await call(`GET /beak/peck/outcome?peck_id=${approved}`, undefined, {
    Authorization: `Bearer ${dev.person.token}`,
  })
  const policy = { issuer: dev.url, require: 'service', expect: { outcome: 'approved' } } as const
  expect(await verifyOutcome(receipt, policy)).toMatchObject({
    ok: false,
    fault: { reason: 'test_credential' },
  })
  expect(await verifyOutcome(receipt, { ...policy, allowTest: true })).toMatchObject({ ok: true })
  await call('POST /beak/test/clock', { advance: 2 * 86_400 })
  expect(await read(unanswered, 0)).toBe('expired')
})

it('ends with the program that started it', async () => {
  const ended = endOf(child)
  child.stdin.end()
  expect((await ended).code).toBe(0)
  await expect(fetch(dev.url)).rejects.toThrow()
})
