/** The command after a restore with the tools of PostgreSQL: it ends what is too old, as `restore` does. */

import { z } from 'zod'
import { endRestored } from '@/lib/domain/backup/restore'
import { setLimit } from '@/lib/domain/identity/create-by-host'
import { reseal, rotateSecret } from '@/lib/domain/secret-rotation/reseal'
import { systemContext } from '@/lib/kernel/request/context'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { accountCommand } from './account-command'
import { actionsCommand } from './actions'
import { backupCommands, continueLog } from './backup-commands'
import { type Command, parseOptions, UsageError, type Work, withoutArguments } from './command'
import { migrateCommand, verifyDataCommand } from './database-commands'
import { doctorCommand } from './doctor-command'
import { incidentCommand } from './incident-command'
import { keyCommands } from './key-commands'
import { logCommand, reportEnded, requirePlace } from './log-command'
import { outboxCommand } from './outbox-command'
import { passCommand } from './pass-command'
import { siteCommand } from './site-command'

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

const restoredCommand: Command = {
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

/** Every command of the operator. The command line and its help use this table, and tests compare the documents with it. */

function parseLimit([ducklingId = '', value = '', ...others]: string[]): Work {
  const [, rate, burst] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(value) ?? []
  if (!ducklingId.startsWith('DUCK-')) throw new UsageError('limit needs the id of a duckling, DUCK-….')
  if ((value !== 'default' && rate === undefined) || others.length > 0)
    throw new UsageError('limit needs <rate>/<burst>, for example 6000/1000, or default.')
  const applied = rate === undefined ? null : { perMinute: Number(rate), burst: Number(burst) }
  return async () => {
    await setLimit(systemContext(readClock()), ducklingId, applied)
    return applied === null
      ? `${ducklingId} has the configured limit again.`
      : `${ducklingId} may send ${applied.perMinute} requests a minute, ${applied.burst} at once.`
  }
}

export const commands: readonly Command[] = [
  doctorCommand,
  verifyDataCommand,
  actionsCommand,
  ...backupCommands,
  restoredCommand,
  migrateCommand,
  ...keyCommands,
  logCommand,
  {
    name: 'rotate-secret',
    forms: [
      {
        args: '',
        summary: 'Makes a new secret in `DATA_DIR` and encrypts all stored values again with it.',
      },
    ],
    details:
      'Only for a secret in the data folder; with BEAK_SECRET in the environment follow the page /docs/hosts/keys.\nCopy the data folder first. When the command is interrupted, run it again. It then finishes the same\nrotation.',
    withoutKeys: true,
    needsStoppedServer: 'A request during the rotation could still encrypt with the old secret.',
    parse: withoutArguments('rotate-secret', rotateSecret),
  },
  {
    name: 'reseal',
    forms: [
      {
        args: '',
        summary:
          'Encrypts all stored values again with the current `BEAK_SECRET`, so that `BEAK_SECRET_PREVIOUS` may be removed a day later.',
      },
    ],
    details:
      'Run the command with the BEAK_SECRET and BEAK_SECRET_PREVIOUS of the server. It can be stopped at any\ntime and run again. When neither secret can decrypt a value, it names the value and exits with code 1.',
    withoutKeys: true,
    usesSecrets: true,
    parse: withoutArguments('reseal', (print) => reseal(print)),
  },
  {
    name: 'limit',
    forms: [
      { args: '<DUCK-…> <rate>/<burst>', summary: 'Sets a separate request limit for an account.' },
      { args: '<DUCK-…> default', summary: 'Resets the account to the configured limit.' },
    ],
    details:
      '<DUCK-…> is the id of the account. <rate> is the number of requests a minute, <burst> the number of\nrequests at once: limit DUCK-… 6000/1000.',
    parse: parseLimit,
  },
  incidentCommand,
  accountCommand,
  outboxCommand,
  passCommand,
  siteCommand,
  {
    name: 'seed',
    forms: [
      {
        args: '',
        summary: 'Adds demo data: people at every tier, and agents and requests in every state.',
      },
    ],
    details:
      'In the source code, npm run seed does the same. The command reads its codes from the development outbox, so it refuses\nto run with a mail server or an SMS provider. A second run changes nothing.',
    // Imported only here, so that a server does not load the fixtures when it starts.
    parse: withoutArguments('seed', async (print) => (await import('./seed')).seed(print)),
  },
]

/** Returns the command of that name. Throws `UsageError` when there is none. */
export function getCommand(name: string): Command {
  const command = commands.find((one) => one.name === name)
  if (command === undefined) throw new UsageError(`There is no command ${name}.`)
  return command
}
