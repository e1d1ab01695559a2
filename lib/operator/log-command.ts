/** What restoring says: what is there again, what was ended, and what the host must do. */

import { isAbsolute } from 'node:path'
import type { ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import type { EntryKind } from '@beak/proofs/log/entry'
import { remoteLog } from '@beak/proofs/log/remote-log'
import { catchUp, type EndedAgain } from '@/lib/domain/backup/apply-ended'
import type { Ended } from '@/lib/domain/backup/end-old'
import type { Restored } from '@/lib/domain/backup/restore'
import { appendToLog } from '@/lib/domain/tlog/append'
import { readMissing } from '@/lib/domain/tlog/continue-log'
import { continueRenamed, readLastCheckpoint } from '@/lib/domain/tlog/continue-renamed'
import { mirrorFolder, readMirror } from '@/lib/domain/tlog/mirror'
import { logOrigin } from '@/lib/domain/tlog/origin'
import { config, isLoopback } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { readIfThere } from '@/lib/kernel/runtime/durable-file'
import { operatorCommand } from '@/lib/kernel/service/release'
import { type Command, CommandRefused, type PrintLine, parseOptions, UsageError, type Work } from './command'

const number = (count: number) => count.toLocaleString('en')

/** Prints what was ended because it is too old. */
export function reportEnded(ended: Ended, print: PrintLine): void {
  print(
    `Ended: sessions (${number(ended.sessions)}) and all codes, permissions (${number(ended.permissions)}), waiting requests (${number(ended.requests)}).`,
  )
  print(
    `Suspended until their owners resume them: agents (${number(ended.agents)}) and rules (${number(ended.rules)}).`,
  )
  print(`Not sent: messages that waited when the backup was made (${number(ended.messages)}).`)
  print('Every owner is told by mail when the service starts.')
}

/** Prints what was restored, and what of it was ended. */
export function report({ header, rows, verified, ended }: Restored, print: PrintLine): void {
  print(`Restored ${number(rows)} rows of ${header.base_url}, as they were at ${header.made_at}.`)
  print(
    `Verified: ${number(verified.events)} audit events, ${number(verified.entries)} log entries, ${number(verified.receipts)} signed decisions.`,
  )
  if (verified.unverified.length > 0)
    print(
      `These decisions do not verify for ${header.base_url}: ${verified.unverified.slice(0, 20).join(', ')}${verified.unverified.length > 20 ? ', …' : ''}`,
    )
  reportEnded(ended, print)
  if (header.base_url !== config().baseUrl)
    print(
      `BASE_URL is ${config().baseUrl} now. Passkeys belong to the host of ${header.base_url}, and do not work for another one.`,
    )
}

const sinceWords = {
  decided: 'decisions',
  used: 'uses of permissions',
  revoked: 'revocations of permissions or certificates',
  passkey_enrolled: 'new passkeys',
  passkey_removed: 'removed passkeys',
  ended: 'closed accounts, revoked certificates, removed agents and replaced keys',
} as const

/** Prints how many things were ended again. */
function reportEndedAgain(
  { accounts, certificates, agents, keys, passkeys }: EndedAgain,
  print: PrintLine,
): void {
  print(
    `Ended again: accounts (${number(accounts)}), certificates (${number(certificates)}), agents (${number(agents)}), replaced beak keys (${number(keys)}), passkeys (${number(passkeys)}).`,
  )
}

/** Prints what the log shows since the backup, and what of it was ended again. */
export function reportSince(entries: { kind: EntryKind }[], again: EndedAgain, print: PrintLine): void {
  print(`The log gets ${number(entries.length)} entries from the mirror. Since the backup it shows:`)
  for (const [kind, words] of Object.entries(sinceWords))
    print(`  ${number(entries.filter((entry) => entry.kind === kind).length)} ${words}`)
  reportEndedAgain(again, print)
}

/** The command that continues the transparency log after a restored backup. */

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
