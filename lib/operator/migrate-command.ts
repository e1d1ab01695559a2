/** The command that applies migrations before instances of a new version start, or shows which ones it would apply. */
import { db, findPendingMigrations, openDatabase } from '@/lib/db/client'
import { versionNeededBy } from '@/lib/db/migrate'
import { readClock } from '@/lib/kernel/clock'
import { version } from '@/lib/kernel/version'
import { type Command, type PrintLine, UsageError, type Work } from './command'

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
