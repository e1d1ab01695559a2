/** The command after a restore with the tools of PostgreSQL: it ends what is too old, as `restore` does. */
import { z } from 'zod'
import { endRestored } from '@/lib/domain/backup/restore'
import { minute, readClock, secondsAfter } from '@/lib/kernel/clock'
import { continueLog } from './backup-commands'
import { type Command, parseOptions, UsageError, type Work } from './command'
import { requirePlace } from './log-command'
import { reportEnded } from './restore-report'

const options = {
  'as-of': { type: 'string' },
  mirror: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const

function parse(args: string[]): Work {
  const { 'as-of': asOf, mirror, yes } = parseOptions('restored', { args, options }).values
  if (!z.iso.datetime().safeParse(asOf).success)
    throw new UsageError('restored needs --as-of <time> in UTC, for example 2026-11-26T03:15:00Z.')
  const madeAt = new Date(asOf ?? '')
  if (madeAt > secondsAfter(readClock(), minute)) throw new UsageError('restored: --as-of is in the future.')
  if (mirror !== undefined) requirePlace(mirror)
  return async (print) => {
    if (!yes)
      return `Nothing was changed. With --yes, every session, permission and waiting request of this database ends, and every agent is suspended, because it is as old as ${madeAt.toISOString()}.`
    reportEnded(await endRestored(madeAt.toISOString(), readClock()), print)
    if (mirror !== undefined) await continueLog(mirror, print)
    return 'Start the service, and run operator doctor.'
  }
}

export const restoredCommand: Command = {
  name: 'restored',
  forms: [
    {
      args: '--as-of <time> [--mirror <folder or URL>] [--yes]',
      summary: 'Ends what is too old in a database that the tools of PostgreSQL have restored.',
    },
  ],
  details:
    'After pg_basebackup with archived WAL, a dump or a snapshot of the disk. Stop every instance first, and\nrun verify-data. --as-of is the time to which the data go back. What ends is the same as after restore.\nWithout --yes it only says so.\n--mirror: the mirror of a witness, as for log continue. What its entries show as ended since is ended\nagain.',
  needsStoppedServer: 'It would go on with sessions and permissions that are too old.',
  parse,
}
