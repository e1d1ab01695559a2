/** Plays the crashes of all ceremonies, or as many as the time allows. */

import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { atEnd, runWithCleanup } from '@/lab/bench/cleanup'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { type DatabaseProxy, startDatabaseProxy } from '@/lib/fixtures/database-proxy'
import { copyTemplate, createTemplate, dropTemplate } from '@/lib/fixtures/postgres'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { parseConfig } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { startServers } from '@/scripts/servers/start.mjs'
import { type Crash, contradictions, measure, playCrash } from './crash'
import { operations } from './operations'
import type { Play, Played } from './play'
import { playRaces } from './races'
import { choicesOf } from './seed'
import { playStorm } from './storm'
import { workerSteps } from './work'

const ways = (['connection', 'process'] as const).flatMap((lost) =>
  (['before', 'after'] as const).map((when) => ({ lost, when })),
)

/** With little time: every statement in one way, which the seed chooses. */
function crashesOf(statements: number, { choices, isThorough }: Play): Crash[] {
  const numbers = Array.from({ length: statements }, (_, index) => index + 1)
  return numbers.flatMap((statement) =>
    (isThorough ? ways : [choices.one(ways)]).map((way) => ({ statement, ...way })),
  )
}

/** The steps of the worker are few and first, because each concerns many ceremonies. */
async function playCrashes(proxy: DatabaseProxy, play: Play): Promise<Played> {
  const { choices, isOver, only, print } = play
  const wrong: string[] = []
  let played = 0
  const all = [...choices.shuffled(workerSteps), ...choices.shuffled(operations)]
  for (const ceremony of all.filter(({ name }) => name.includes(only))) {
    if (isOver()) break
    const before = wrong.length
    const { statements, changes } = await measure(proxy, ceremony)
    for (const crash of crashesOf(statements, play)) {
      const fault = await playCrash(proxy, ceremony, crash, changes).catch((error: unknown) => {
        const { statement, when, lost } = crash
        throw new Error(`${ceremony.name}, ${lost} lost ${when} statement ${statement}`, { cause: error })
      })
      if (fault !== null) wrong.push(fault)
      played++
    }
    wrong.push(...(await contradictions()).map((found) => `after ${ceremony.name}: ${found}`))
    for (const line of wrong.slice(before)) print(`wrong: ${line}`)
    print(`${ceremony.name}: cut at ${statements} statements, ${wrong.length} wrong so far`)
  }
  return { played, wrong }
}

/** Starts the service in this process, on an empty database behind a proxy that can cut its statements. */

/** Returns the proxy. Throws without PostgreSQL, because the embedded database has no connection that can be cut. */
async function startService(): Promise<DatabaseProxy> {
  const servers = await startServers()
  atEnd(servers.stop)
  const { TEST_DATABASE_URL: server = 'none' } = servers.env
  if (server === 'none') throw new Error(`The faults need PostgreSQL. ${servers.missing.join(', ')}`)
  const template = await createTemplate(server)
  atEnd(() => dropTemplate(server, template))
  const proxy = await startDatabaseProxy(await copyTemplate(server, template))
  atEnd(proxy.close)
  const dataDir = mkdtempSync(join(tmpdir(), 'beak-faults-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = parseConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    DATA_DIR: dataDir,
    BEAK_SECRET: 'a secret that only the faults know',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DATABASE_URL: proxy.url,
  })
  singleton('config', () => config)
  await openDatabase()
  atEnd(closeDatabase)
  await prepareKeys()
  return proxy
}

/**
 * `npm run faults`: cuts the connections of the service, lets everything around it go wrong, and says what is wrong afterwards. Prints a seed,
 * with which `--seed` repeats the same choices. `--seconds` plays as many faults as fit. Ends with 0 when nothing is wrong.
 */

function readOptions() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, seconds: { type: 'string' }, only: { type: 'string' } },
  })
  const number = (text: string | undefined) => {
    if (text === undefined) return null
    if (!/^\d{1,9}$/.test(text)) throw new Error('--seed and --seconds take a whole number.')
    return Number(text)
  }
  return {
    seed: number(values.seed) ?? randomInt(1_000_000),
    seconds: number(values.seconds),
    only: values.only ?? '',
  }
}

/** A run with less time has no storm. */
const stormSeconds = 30

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { seed, seconds, only } = readOptions()
  print(`seed ${seed}`)
  const proxy = await startService()
  const started = performance.now()
  const play: Play = {
    choices: choicesOf(seed),
    isThorough: seconds === null,
    isOver: () => seconds !== null && performance.now() > started + seconds * 1000,
    only,
    print,
  }
  const results = [await playRaces(proxy, play), await playCrashes(proxy, play)]
  // Last, because it sends mails to a server of its own.
  if (seconds === null || seconds >= stormSeconds) results.push(await playStorm(proxy, play))
  const played = results.reduce((sum, result) => sum + result.played, 0)
  const wrong = results.flatMap((result) => result.wrong)
  const took = Math.round((performance.now() - started) / 1000)
  for (const line of wrong) print(`wrong: ${line}`)
  print(
    `${played} faults, ${wrong.length} wrong, in ${took} s. Repeat with: npm run faults -- --seed ${seed}`,
  )
  if (wrong.length > 0) throw new Error('Something is wrong after a fault.')
}

await runWithCleanup(main)
