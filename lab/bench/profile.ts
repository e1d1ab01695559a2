/** `npm run bench -- profile SCENARIO`: a CPU profile of the server under the load of one scenario. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Driver } from './drive/driver'
import { type CpuProfile, summarizeProfile } from './measure/cpu-profile'
import { format, table } from './report'
import { selectRows } from './rows'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres } from './servers/postgres'
import { root, type Server, workFolder } from './servers/server'
import { settings } from './settings'
import { beakSubject, runScenario } from './subjects'

/** Returns the key of the row that the name means. A name without a server means PostgreSQL. */
function rowOf(text: string) {
  const rows = selectRows(null).filter(({ server }) => server === 'postgresql' || server === 'embedded')
  const row = rows.find(({ key }) => key === text) ?? rows.find(({ name }) => name === text)
  if (row) return row
  throw new Error(
    `There is no scenario "${text}". The scenarios:\n${rows.map(({ key }) => `  ${key}`).join('\n')}`,
  )
}

const warmUpSeconds = 3
const writingSeconds = 30

/** Stops the profile of a server and returns it. */
async function finishProfile(server: Server, file: string): Promise<CpuProfile> {
  process.kill(server.pid, 'SIGUSR2')
  const end = Date.now() + writingSeconds * 1000
  while (!existsSync(file)) {
    if (Date.now() > end) throw new Error('Node.js wrote no profile.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Writes the profile to build/bench/profile, and prints where the time went. */
export async function profile(args: string[]): Promise<void> {
  const row = rowOf(args.join(' '))
  const postgres = row.server === 'embedded' ? null : await openPostgres()
  if (row.server === 'postgresql' && postgres === null)
    throw new Error(
      `There is no PostgreSQL server. Profile "embedded: ${row.name}", or set BENCH_DATABASE_URL.`,
    )
  const databaseUrl = postgres === null ? null : await postgres.createDatabase('profile')
  const folder = join(workFolder, 'profile')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${row.key.replace(/\W+/g, '-')}-${Date.now()}.cpuprofile`)
  const server = await startBeak({
    name: 'beak-profile',
    port: await freePort(),
    databaseUrl,
    env: { BENCH_PROFILE: file },
    nodeArgs: ['--import', join(import.meta.dirname, 'measure', 'profiler.mjs')],
  })
  const driver = new Driver()
  const subject = await beakSubject(driver, server)
  const size = { ...settings, seconds: Math.max(settings.seconds, 10) }
  await runScenario(subject, driver, row.name, { ...size, seconds: warmUpSeconds })
  const load = await subject.prepare(driver, row.name, size)
  process.kill(server.pid, 'SIGUSR2')
  const result = await load()
  const { busySeconds, buckets, functions } = summarizeProfile(await finishProfile(server, file))
  await server.stop()
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`
  const lines = (shares: [string, number][]) => shares.map(([name, share]) => [name, percent(share)])
  process.stdout.write(
    `${row.key}: ${format(result.count / result.seconds)} per second; ${format((1000 * busySeconds) / result.count)} ms of the main thread each\n\n` +
      `${table(['where', 'share'], lines(buckets))}\n\n${table(['function', 'own time'], lines(functions))}\n\n` +
      `The profile, for the browser's developer tools: ${relative(root, file)}\n`,
  )
}
