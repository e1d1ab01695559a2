/** `npm run bench`: measures all rows in random order, several rounds, and writes the report. */
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { Driver } from './drive/driver'
import { measure } from './measure/measure'
import { residentMiB } from './measure/processes'
import { shuffled } from './measure/statistics'
import { printReport, type Report } from './report'
import { type Row, type ServerKey, selectRows } from './rows'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres, type Postgres } from './servers/postgres'
import {
  prepareReferences,
  startBetterAuth,
  startByHand,
  startPlainHttp,
  startStaticJson,
} from './servers/references'
import { countStatements } from './servers/statement-counter'
import { settings } from './settings'
import {
  beakSubject,
  betterAuthSubject,
  byHandSubject,
  honoSubject,
  plainSubject,
  runScenario,
  type Subject,
} from './subjects'

const warmUp = { seconds: 1, connections: 16, flows: 8 }
const counting = { seconds: 1.5, connections: 1, flows: 1 }

const progress = (text: string) => process.stderr.write(`${text}\n`)

/** Starts the servers that the rows need. Without PostgreSQL only those that need none. */
async function startSubjects(
  driver: Driver,
  needed: Set<ServerKey>,
  postgres: Postgres | null,
): Promise<Map<ServerKey, Subject>> {
  const subjects = new Map<ServerKey, Subject>()
  if (needed.has('hono')) subjects.set('hono', honoSubject(await startStaticJson()))
  if (needed.has('embedded')) {
    const port = await freePort()
    const server = await startBeak({ name: 'beak-embedded', port, databaseUrl: null })
    subjects.set('embedded', await beakSubject(driver, server))
  }
  if (postgres === null) return subjects
  if (needed.has('plain'))
    subjects.set('plain', await plainSubject(await startPlainHttp(await postgres.createDatabase('plain'))))
  if (needed.has('better-auth')) {
    const server = await startBetterAuth(await postgres.createDatabase('better_auth'))
    subjects.set('better-auth', await betterAuthSubject(driver, server))
  }
  if (needed.has('postgresql') || needed.has('by-hand')) {
    const databaseUrl = await postgres.createDatabase('beak')
    const server = await startBeak({ name: 'beak-postgresql', port: await freePort(), databaseUrl })
    const beak = await beakSubject(driver, server)
    subjects.set('postgresql', beak)
    if (needed.has('by-hand')) subjects.set('by-hand', await byHandSubject(await startByHand(server), beak))
  }
  const { otherNode: node } = settings
  if (needed.has('other-node') && node !== null) {
    const databaseUrl = await postgres.createDatabase('other_node')
    const server = await startBeak({ name: 'beak-other-node', port: await freePort(), databaseUrl, node })
    subjects.set('other-node', await beakSubject(driver, server))
  }
  return subjects
}

async function runRow(row: Row, subject: Subject, driver: Driver, postgres: Postgres | null): Promise<void> {
  const load = await subject.prepare(driver, row.name, settings)
  const { measured, result } = await measure(subject.server, postgres, load)
  row.rounds.push(measured)
  row.firstError ??= result.firstError
}

/** Runs each row alone on one connection, with a proxy that counts the statements, and subtracts those of an idle server. */
async function countRows(rows: Row[], subject: Subject, driver: Driver): Promise<void> {
  const { databaseUrl } = subject.server
  if (databaseUrl === null || rows.length === 0) return
  await subject.server.stop()
  const counter = await countStatements(databaseUrl)
  // The subject keeps using the address, the tokens and the outbox of the server that has stopped.
  await startBeak({
    name: 'beak-counted',
    port: Number(new URL(subject.server.origin).port),
    databaseUrl: counter.databaseUrl,
    dataDir: dirname(subject.server.codes),
  })
  const idleStart = counter.count()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const idlePerSecond = (counter.count() - idleStart) / 2
  for (const row of rows) {
    const load = await subject.prepare(driver, row.name, counting)
    const before = counter.count()
    const { count, seconds } = await load()
    row.statements = Math.max(0, (counter.count() - before - idlePerSecond * seconds) / count)
  }
}

/** Measures the memory of a server that serves only the API. */
async function measureApiAlone(driver: Driver, postgres: Postgres): Promise<number> {
  const databaseUrl = await postgres.createDatabase('api')
  const env = { BEAK_ROLES: 'api,worker' }
  const server = await startBeak({ name: 'beak-api', port: await freePort(), databaseUrl, env })
  const subject = await beakSubject(driver, server)
  for (const scenario of ['profile bearer', 'sign-up', 'peck', 'peck history'])
    await runScenario(subject, driver, scenario, settings)
  const resident = residentMiB(server.pid)
  await server.stop()
  return resident
}

async function measureRows(
  rows: Row[],
  subjects: Map<ServerKey, Subject>,
  driver: Driver,
  postgres: Postgres | null,
): Promise<void> {
  const measurable = rows.flatMap((row) => {
    const subject = subjects.get(row.server)
    return subject ? [{ row, subject }] : []
  })
  progress('warming up …')
  for (const { row, subject } of measurable) await runScenario(subject, driver, row.name, warmUp)
  for (let round = 1; round <= settings.rounds; round++) {
    for (const { row, subject } of shuffled(measurable)) await runRow(row, subject, driver, postgres)
    progress(`round ${round} of ${settings.rounds} is done`)
  }
}

/** Runs a step whose failure must not lose the figures that were measured before. */
async function optional(title: string, step: () => Promise<void>): Promise<void> {
  progress(`${title} …`)
  try {
    await step()
  } catch (error) {
    progress(`${title} failed: ${error instanceof Error ? error.message : error}`)
  }
}

/** Measures everything and writes `lab/bench/RESULTS.md`. With ONLY, prints the report and writes nothing. */
export async function compare(): Promise<void> {
  const rows = selectRows(settings.only)
  if (rows.length === 0) throw new Error('ONLY: no row matches. `npm run bench -- list` prints all names.')
  const postgres = await openPostgres()
  if (postgres === null) progress('There is no PostgreSQL server. The rows that need one are skipped.')
  prepareReferences()
  const driver = new Driver()
  progress('starting and filling the servers …')
  const subjects = await startSubjects(driver, new Set(rows.map(({ server }) => server)), postgres)
  await measureRows(rows, subjects, driver, postgres)
  const { otherNode: node } = settings
  const otherNode = node === null ? null : execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const report: Report = { rows, postgres, otherNode, memory: {} }
  for (const key of ['better-auth', 'postgresql', 'embedded'] as const) {
    const subject = subjects.get(key)
    if (subject) report.memory[key] = residentMiB(subject.server.pid)
  }
  const isComplete = settings.only === null
  const beak = subjects.get('postgresql')
  const ownRows = rows.filter(({ server }) => server === 'postgresql')
  if (beak) await optional('counting statements', () => countRows(ownRows, beak, driver))
  if (postgres && isComplete)
    await optional('measuring the memory of the API alone', async () => {
      report.memory.api = await measureApiAlone(driver, postgres)
    })
  printReport(report, isComplete)
}
