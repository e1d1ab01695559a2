/** The command that applies migrations before instances of a new version start, or shows which ones it would apply. */

import { db, findPendingMigrations, openDatabase } from '@/lib/db/client'
import { versionNeededBy } from '@/lib/db/migrate'
import { checkData } from '@/lib/domain/integrity/check'
import { readClock } from '@/lib/kernel/runtime/clock'
import { version } from '@/lib/kernel/service/version'
import {
  type Command,
  CommandRefused,
  type PrintLine,
  UsageError,
  type Work,
  withoutArguments,
} from './command'

const upToDate = `The database has every migration of version ${version}.`

function describe(name: string): string {
  const needed = versionNeededBy(name)
  return needed === null ? name : `${name} (versions before ${needed} stop working)`
}

async function show(print: PrintLine): Promise<string> {
  const names = await findPendingMigrations()
  if (names.length === 0) return upToDate
  for (const name of names) print(`Would apply ${describe(name)}`)
  return names.some((name) => versionNeededBy(name) !== null)
    ? 'Nothing was changed. Make a backup and stop the instances of the version before, then run migrate.'
    : 'Nothing was changed. Instances of the version before can go on running.'
}

async function apply(print: PrintLine): Promise<string> {
  const startedAt = readClock()
  const names = await findPendingMigrations()
  await openDatabase()
  if (names.length === 0) return upToDate
  for (const name of names) print(`Applied ${describe(name)}`)
  await db().operatorAction.create({ data: { command: 'migrate', startedAt, succeeded: true } })
  return upToDate
}

function parse(args: string[]): Work {
  if (args.length === 0) return apply
  if (args.length === 1 && args[0] === '--dry-run') return show
  throw new UsageError('migrate takes no arguments but --dry-run.')
}

export const migrateCommand: Command = {
  name: 'migrate',
  forms: [
    { args: '', summary: 'Applies the migrations that the database lacks, with one line each.' },
    { args: '--dry-run', summary: 'Shows which migrations it would apply, and changes nothing.' },
  ],
  details:
    'The start applies migrations too. Run the command when the role of the service may not, or to do it\nbefore the new instances start. With PostgreSQL, name the role that owns the tables in DATABASE_URL.',
  withoutKeys: true,
  opensDatabase: true,
  parse,
}

/** The command that checks all data for contradictions. */

const number = (count: number) => count.toLocaleString('en')

export const verifyDataCommand: Command = {
  name: 'verify-data',
  forms: [
    {
      args: '',
      summary: 'Reads all data and names the rows that contradict each other.',
    },
  ],
  details:
    'It checks that every audit log is a whole chain, that the transparency log gives its checkpoint, that what\nworks once was used once, that nothing which waits was lost, and that accounts, agents and certificates fit\ntogether. It changes nothing, and exits with code 1 when it finds something. With the embedded database,\nrequests wait meanwhile.',
  withoutKeys: true,
  reads: true,
  parse: withoutArguments('verify-data', async (print) => {
    const { events, entries, rules, contradictions } = await checkData()
    for (const { rule, rows, count } of contradictions) {
      print(`${rule}. ${number(count)} ${count === 1 ? 'does' : 'do'} not:`)
      for (const row of rows) print(`    ${row}`)
      if (count > rows.length) print('    …')
    }
    const read = `${number(events)} audit events, ${number(entries)} log entries, ${rules} rules`
    if (contradictions.length === 0) return `Nothing contradicts: ${read}.`
    throw new CommandRefused(
      `${contradictions.length} of ${rules} rules are broken. Stop changing the database by hand, keep a copy of it, and restore a backup from before: /docs/hosts/backup.`,
    )
  }),
}
