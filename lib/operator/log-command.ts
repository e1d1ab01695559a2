/** The command that continues the transparency log after a restored backup. */

import { isAbsolute } from 'node:path'
import type { ReadLogFile } from '@beak/client/verify/log/authenticated-tiles'
import { remoteLog } from '@beak/client/verify/log/remote-log'
import { catchUp } from '@/lib/domain/backup/catch-up'
import { appendToLog } from '@/lib/domain/tlog/append'
import { readMissing } from '@/lib/domain/tlog/continue-log'
import { continueRenamed, readLastCheckpoint } from '@/lib/domain/tlog/continue-renamed'
import { mirrorFolder, readMirror } from '@/lib/domain/tlog/mirror-files'
import { logOrigin } from '@/lib/domain/tlog/origin'
import { readClock } from '@/lib/kernel/clock'
import { isLoopback } from '@/lib/kernel/config'
import { readIfThere } from '@/lib/kernel/durable-file'
import { operatorCommand } from '@/lib/kernel/release'
import { type Command, CommandRefused, type PrintLine, parseOptions, UsageError, type Work } from './command'
import { reportEndedAgain } from './restore-report'

const usage = `See ${operatorCommand('help log')}.`

const options = {
  mirror: { type: 'string' },
  new: { type: 'boolean', default: false },
  checkpoint: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const

/** The server may run in another folder than the command line, so a relative path would name another file. */
function requireAbsolute(option: string, path: string): void {
  if (!isAbsolute(path)) throw new UsageError(`${option} needs an absolute path.`)
}

/** Checks the place of a mirror: an https URL, an http URL of this computer, or an absolute path. Throws `UsageError`. */
export function requirePlace(place: string): void {
  if (!/^https?:/.test(place)) requireAbsolute('--mirror', place)
  else if (!URL.canParse(place)) throw new UsageError(`--mirror: ${place} is not a URL.`)
  else if (place.startsWith('http:') && !isLoopback(place))
    throw new UsageError('--mirror: the URL of a mirror must begin with https:.')
}

/** Returns a reader of a mirror. The folder of a witness has a subfolder for each log. */
export async function openMirror(place: string): Promise<ReadLogFile> {
  if (/^https?:/.test(place)) return remoteLog(place)
  const below = readMirror(mirrorFolder(place, await logOrigin()))
  return (await below('checkpoint')) === null ? readMirror(place) : below
}

const askAgain = 'Nothing was changed. Run the command again with --yes to do this.'

async function continueWith(place: string, isConfirmed: boolean, print: PrintLine): Promise<string> {
  const missing = await readMissing(await openMirror(place))
  const { checkpoint, common, size, entries } = missing
  print(`The mirror has ${checkpoint.size} entries, the database ${size}. The first ${common} are the same.`)
  print(
    `The log gets ${entries.length} entries from the mirror. The ${size - common} others of the database follow behind them.`,
  )
  print(
    'What these entries show as ended is ended again: accounts, certificates, agents, beak keys and passkeys.',
  )
  if (!isConfirmed) return askAgain
  const now = readClock()
  const { added, moved, again } = await catchUp(missing, now)
  reportEndedAgain(again, print)
  return `The log continues. ${added} entries were added and ${moved} moved. The witnesses cosign the next checkpoint.`
}

async function beginNew(file: string | null, isConfirmed: boolean, print: PrintLine): Promise<string> {
  const given = file === null ? null : await readIfThere(file)
  if (file !== null && given === null) throw new CommandRefused(`There is no file ${file}.`)
  const old = await readLastCheckpoint(given?.toString() ?? null)
  print(`The last known checkpoint of ${old.origin} has ${old.size} entries.`)
  print(
    'A log with a new name begins and names this checkpoint. Every owner is told by mail. This cannot be undone.',
  )
  if (!isConfirmed) return askAgain
  const now = readClock()
  const origin = await continueRenamed(old, now)
  await appendToLog(now, { force: true })
  return `The log is called ${origin} now. Give the operators of your witnesses its verifier key, which list-keys shows.`
}

function parse([form, ...args]: string[]): Work {
  if (form !== 'continue') throw new UsageError(`log needs continue. ${usage}`)
  const {
    mirror,
    new: isNew,
    checkpoint,
    yes,
  } = parseOptions('log continue', { args, options }, ` ${usage}`).values
  if ((mirror === undefined) !== isNew)
    throw new UsageError(`log continue needs either --mirror <folder or URL> or --new. ${usage}`)
  if (checkpoint !== undefined) {
    if (!isNew) throw new UsageError(`log continue: --checkpoint is only for --new. ${usage}`)
    requireAbsolute('--checkpoint', checkpoint)
  }
  if (mirror === undefined) return (print) => beginNew(checkpoint ?? null, yes, print)
  requirePlace(mirror)
  return (print) => continueWith(mirror, yes, print)
}

export const logCommand: Command = {
  name: 'log',
  forms: [
    {
      args: 'continue --mirror <folder or URL> [--yes]',
      summary:
        'Adds the entries that a restored backup lacks to the transparency log, from the mirror of a witness, and ends again what they show as ended.',
    },
    {
      args: 'continue --new [--checkpoint <file>] [--yes]',
      summary:
        'Begins a log with a new name, which names the last checkpoint of the old one, and tells every owner.',
    },
  ],
  details:
    'Use the command when witnesses refuse the log because the database was restored from an old backup.\nWithout --yes it only shows what it would do.\n--mirror: an absolute path, or an https URL. The command checks all that it reads against the\nmirror’s checkpoint, which a key of this log must have signed. With PostgreSQL, run the command with\nthe role that owns the tables.\n--new: only when there is no mirror. --checkpoint names a file with the newest checkpoint that a\nwitness or an owner has kept. Without it, the newest one of the database is used.\nFor more, see docs/audit/witness.md.',
  parse,
}
