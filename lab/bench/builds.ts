/**
 * `npm run bench -- builds FOLDER`: compares the build of another checkout with the build of this one. The speed of a machine changes by a third from
 * one minute to the next, so two whole runs tell little. Here both servers get the same load in short turns, and each turn is compared with the
 * one beside it.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Driver } from './drive/driver'
import { measure } from './measure/measure'
import { median, percentile } from './measure/statistics'
import { format, table } from './report'
import { type Measured, type Row, selectRows } from './rows'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres, type Postgres } from './servers/postgres'
import { root, serverFile } from './servers/server'
import { settings } from './settings'
import { type BeakSubject, beakSubject, runScenario } from './subjects'

const warmUpSeconds = 2

type Pair<T> = readonly [other: T, own: T]

async function startPair(
  driver: Driver,
  postgres: Postgres,
  folders: Pair<string>,
): Promise<Pair<BeakSubject>> {
  const start = async (folder: string, name: string) => {
    const databaseUrl = await postgres.createDatabase(name)
    const server = await startBeak({ name: `beak-${name}`, port: await freePort(), databaseUrl, folder })
    return beakSubject(driver, server)
  }
  return [await start(folders[0], 'other_build'), await start(folders[1], 'own_build')]
}

/** Measures a scenario in turns. The build that begins changes, so that neither always comes first. */
async function takeTurns(
  driver: Driver,
  postgres: Postgres,
  subjects: Pair<BeakSubject>,
  scenario: string,
): Promise<Pair<Measured>[]> {
  for (const subject of subjects)
    await runScenario(subject, driver, scenario, { ...settings, seconds: warmUpSeconds })
  const turn = async (subject: BeakSubject) => {
    const load = await subject.prepare(driver, scenario, settings)
    return (await measure(subject.server, postgres, load)).measured
  }
  const turns: Pair<Measured>[] = []
  for (let round = 0; round < settings.rounds; round++) {
    const first = round % 2
    const begun = await turn(subjects[first] as BeakSubject)
    const followed = await turn(subjects[1 - first] as BeakSubject)
    turns.push(first === 0 ? [begun, followed] : [followed, begun])
  }
  return turns
}

/** Returns the medians of both builds, and the median and the middle half of the ratios of the turns. */
function compareTurns(turns: Pair<Measured>[], figure: 'rate' | 'serverCpu' | 'databaseCpu'): string {
  const ratios = turns.map(([other, own]) => own[figure] / other[figure]).filter(Number.isFinite)
  const [other, own] = [0, 1].map((side) => median(turns.map((pair) => (pair[side] as Measured)[figure])))
  // Pages without data cause no time of PostgreSQL but that of its background.
  if (ratios.length === 0 || other === 0) return '–'
  const sorted = ratios.sort((left, right) => left - right)
  const range = [0.25, 0.75].map((share) => format(percentile(sorted, share))).join(' to ')
  return `${format(other)} → ${format(own)}: × ${format(median(ratios))} (${range})`
}

function rowsOf(rows: Row[]): Row[] {
  const ofBeak = rows.filter(({ server }) => server === 'postgresql')
  if (ofBeak.length === 0)
    throw new Error('ONLY: no row on PostgreSQL matches. `npm run bench -- list` prints all names.')
  return ofBeak
}

/** Prints a table: this build compared with the build of `folder`. */
export async function builds([folder = '']: string[]): Promise<void> {
  const other = resolve(folder)
  if (folder === '' || !existsSync(serverFile(other)))
    throw new Error(
      'Name the folder of another checkout that is built: `git worktree add FOLDER COMMIT`, and there `npm run bench -- list`, which installs and builds.',
    )
  const rows = rowsOf(selectRows(settings.only))
  const postgres = await openPostgres()
  if (postgres === null)
    throw new Error('There is no PostgreSQL server. Install one, or set BENCH_DATABASE_URL.')
  const driver = new Driver()
  const subjects = await startPair(driver, postgres, [other, root])
  const lines: string[][] = []
  for (const { name, title } of rows) {
    process.stderr.write(`${title}\n`)
    const turns = await takeTurns(driver, postgres, subjects, name)
    const errors = turns.flat().reduce((sum, one) => sum + one.errors, 0)
    lines.push([
      title,
      ...(['rate', 'serverCpu', 'databaseCpu'] as const).map((figure) => compareTurns(turns, figure)),
      String(errors),
    ])
  }
  const head = ['work', 'per second', 'CPU ms server', 'CPU ms PostgreSQL', 'errors']
  process.stdout.write(`${table(head, lines)}\n`)
}
