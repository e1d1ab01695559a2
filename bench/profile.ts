/** `npm run bench -- profile SCENARIO`: a CPU profile of the server under the load of one scenario. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Driver } from './drive/driver'
import { summarizeProfile } from './measure/cpu-profile'
import { format, table } from './report'
import { selectRows } from './rows'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres } from './servers/postgres'
import { root, workFolder } from './servers/server'
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

/** Returns the profile of the server: the largest file, because processes that the server starts write profiles too. */
function newestProfile(folder: string): string {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => join(folder, name))
  const sized = files.map((file) => ({ file, size: readFileSync(file).length }))
  const largest = sized.sort((left, right) => right.size - left.size)[0]
  if (!largest) throw new Error('Node.js wrote no profile.')
  return largest.file
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
  const folder = join(workFolder, 'profile', `${row.key.replace(/\W+/g, '-')}-${Date.now()}`)
  mkdirSync(folder, { recursive: true })
  const server = await startBeak({
    name: 'beak-profile',
    port: await freePort(),
    databaseUrl,
    // The server inherits the options with its worker threads.
    nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  })
  const driver = new Driver()
  const subject = await beakSubject(driver, server)
  const seconds = Math.max(settings.seconds, 10)
  const result = await runScenario(subject, driver, row.name, { ...settings, seconds })
  await server.stop()
  const file = newestProfile(folder)
  const { busySeconds, buckets, functions } = summarizeProfile(JSON.parse(readFileSync(file, 'utf8')))
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`
  const lines = (shares: [string, number][]) => shares.map(([name, share]) => [name, percent(share)])
  process.stdout.write(
    `${row.key}: ${format(result.count / result.seconds)} per second; busy ${format(busySeconds)} s, the preparation included\n\n` +
      `${table(['where', 'share'], lines(buckets))}\n\n${table(['function', 'own time'], lines(functions))}\n\n` +
      `The profile, for the browser's developer tools: ${relative(root, file)}\n`,
  )
}
