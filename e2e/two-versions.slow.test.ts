/**
 * An update and a downgrade without a stop: the version before and this one on one PostgreSQL, under load. `PREVIOUS_RELEASE` names the
 * archive of the version before (`npm run release`), or a folder in which it is built.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startOperator } from '@/lib/fixtures/operator'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { ceremonies, type Service } from './ceremonies'
import { expect, test } from './own-server'
import { emptyDataDir, eventually, type RunningServer, send } from './server'

const { PREVIOUS_RELEASE: previous = '', TEST_DATABASE_URL: server = 'none' } = process.env
const name = `beak_e2e_${randomBytes(4).toString('hex')}`
/** Ceremonies in each phase. */
const ceremoniesOfPhase = 60

async function runSql(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
  const client = new Client({
    connectionString: Object.assign(new URL(server), { pathname: `/${database}` }).href,
  })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the folder of the version before. Unpacks an archive. */
function unpacked(): string {
  if (statSync(previous).isDirectory()) return previous
  const folder = mkdtempSync(join(tmpdir(), 'beak-previous-'))
  execFileSync('tar', ['-xzf', previous, '-C', folder])
  return join(folder, readdirSync(folder)[0] ?? '')
}

/** Runs ceremonies at the instances in `inService`, until it is stopped. */
function load(service: Service, workers: number) {
  const titles = Object.keys(ceremonies)
  const failures: string[] = []
  let [done, isStopped] = [0, false]
  const work = async (first: number) => {
    for (let turn = first; !isStopped; turn += workers) {
      const title = titles[turn % titles.length] ?? ''
      await ceremonies[title]?.(service).catch((error: Error) => failures.push(`${title}: ${error.message}`))
      done++
    }
  }
  const working = Array.from({ length: workers }, (_, first) => work(first))
  return {
    failures,
    done: () => done,
    stop: async () => {
      isStopped = true
      await Promise.all(working)
    },
  }
}

test.skip(previous === '', 'not run: PREVIOUS_RELEASE names no archive of the version before')
test.skip(server === 'none', 'needs TEST_DATABASE_URL')
test.describe.configure({ timeout: 300_000 })
test.beforeAll(() => runSql(`CREATE DATABASE ${name}`))
test.afterAll(() => runSql(`DROP DATABASE ${name} WITH (FORCE)`))

test('nothing fails while the versions run side by side, up and down', async ({ start }) => {
  const origin = `http://localhost:${await freePort()}`
  const shared = {
    DATABASE_URL: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    BEAK_SECRET: 'a secret that both versions know',
    BASE_URL: origin,
  }
  const dataDir = emptyDataDir()
  const env = { ...shared, BEAK_ROLES: 'api,worker', LOG_LEVEL: 'warn' }
  const startOld = () => start({ env, dataDir, folder: unpacked() })
  const startNew = () => start({ env, dataDir })
  const inService: RunningServer[] = []
  const busy = new Map<RunningServer, number>()
  let turn = 0
  const service: Service = {
    send: async (line, options) => {
      // Not in turn: a ceremony with an even number of requests would always meet the same instances.
      const instance = inService[(turn++ + (turn % 7 < 3 ? 1 : 0)) % inService.length]
      if (instance === undefined) throw new Error('no instance is in service')
      const count = (change: number) => busy.set(instance, (busy.get(instance) ?? 0) + change)
      count(1)
      return send(instance, line, options)
        .catch((error) => {
          throw new Error(`${line}: ${error.cause ?? error}`)
        })
        .finally(() => count(-1))
    },
    dataDir,
    origin,
  }
  const outputs: string[] = []
  /** As a load balancer does: no new requests. 0.2.0 does not finish what it has begun, so SIGTERM waits for it. */
  const drain = async (instance: RunningServer, { isFirstRelease }: { isFirstRelease: boolean }) => {
    inService.splice(inService.indexOf(instance), 1)
    if (isFirstRelease) await eventually(() => (busy.get(instance) ?? 0) === 0 || null, 60)
    expect(await instance.stop()).toBe(0)
    outputs.push(instance.output())
  }

  const old = await startOld()
  inService.push(old)
  const running = load(service, 4)
  const counts: [phase: string, ceremonies: number, failures: number][] = []
  const phase = async (title: string, work: () => Promise<unknown>) => {
    const before = [running.done(), running.failures.length] as const
    await work()
    const begun = running.done()
    await eventually(() => running.done() >= begun + ceremoniesOfPhase || null, 60)
    counts.push([title, running.done() - before[0], running.failures.length - before[1]])
  }
  let present = old
  await phase('the version before', async () => undefined)
  await phase('the migrations, and both versions', async () => {
    present = await startNew()
    inService.push(present)
  })
  await phase('this version', () => drain(old, { isFirstRelease: true }))
  let again = present
  await phase('both versions, after a downgrade of one', async () => {
    again = await startOld()
    inService.push(again)
  })
  await phase('the version before, on the database of this one', () =>
    drain(present, { isFirstRelease: false }),
  )
  await phase('both versions again', async () => {
    present = await startNew()
    inService.push(present)
  })
  await running.stop()
  outputs.push(again.output(), present.output())
  console.log(
    counts.map(([title, done, failed]) => `${done} ceremonies, ${failed} failed: ${title}`).join('\n'),
  )

  expect([running.failures.length, running.failures.slice(0, 20)]).toEqual([0, []])
  for (const output of outputs)
    expect(output).not.toMatch(/"level":"(error|fatal)"|delivery failed|delivery given up/)
  expect(
    await runSql(`SELECT "kind", "lastError" FROM "Outbox" WHERE "lastError" IS NOT NULL`, name),
  ).toEqual([])
  const kinds = `'decided', 'used', 'revoked'`
  expect(
    await runSql(`SELECT "index" FROM "LogEntry" WHERE "kind" IN (${kinds}) AND "subjectId" IS NULL`, name),
  ).toEqual([])
  const { stdout, ended } = startOperator({ ...shared, DATA_DIR: dataDir }, 'verify-data')
  expect([await ended, stdout()]).toEqual([0, expect.stringMatching(/^Nothing contradicts/)])
})
