/** The commands that make a backup and restore it. */
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { db } from '@/lib/db/client'
import { ownerAlone } from '@/lib/db/role'
import { catchUp } from '@/lib/domain/backup/apply-ended'
import { makeBackup } from '@/lib/domain/backup/make'
import { restoreBackup } from '@/lib/domain/backup/restore'
import { readMissing } from '@/lib/domain/tlog/continue-log'
import { ContinueRefused } from '@/lib/domain/tlog/own-entries'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Command, CommandRefused, type PrintLine, parseOptions, UsageError, type Work } from './command'
import { openMirror, report, reportSince, requirePlace } from './log-command'

const passphraseMin = 12

interface Arguments {
  path: string
  passphraseFile: string | undefined
  mirror: string | undefined
}

function readArguments(name: string, args: string[], isMirrorAllowed: boolean): Arguments {
  const options = { 'passphrase-file': { type: 'string' }, mirror: { type: 'string' } } as const
  const { values, positionals } = parseOptions(name, { args, options, allowPositionals: true })
  const [path, ...others] = positionals
  const { 'passphrase-file': passphraseFile, mirror } = values
  if (path === undefined || others.length > 0) throw new UsageError(`${name} needs one file.`)
  if (mirror !== undefined && !isMirrorAllowed) throw new UsageError(`${name} takes no mirror.`)
  for (const file of [path, passphraseFile ?? path])
    if (!isAbsolute(file))
      throw new UsageError(`${name} needs absolute paths, because the server may run in another folder.`)
  if (mirror !== undefined) requirePlace(mirror)
  return { path, passphraseFile, mirror }
}

/** Returns the first line of the file, without its end. */
function readPassphrase(file: string | undefined): string | null {
  if (file === undefined) return null
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandRefused(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const [passphrase = ''] = text.split(/\r?\n/)
  if (passphrase.length < passphraseMin)
    throw new CommandRefused(
      `The first line of ${file} is the passphrase. It needs ${passphraseMin} characters.`,
    )
  return passphrase
}

function parseBackup(args: string[]): Work {
  const { path, passphraseFile } = readArguments('backup', args, false)
  return async () => {
    const passphrase = readPassphrase(passphraseFile)
    const rows = await makeBackup(path, passphrase, readClock())
    const secret = config().hasStoredSecret ? 'the file secret of DATA_DIR' : 'BEAK_SECRET'
    return [
      `${path} has ${rows.toLocaleString('en')} rows, and was opened to check it.`,
      passphrase === null
        ? `It does not have the secret, and is of no use without it: keep ${secret} in another place.`
        : 'It is encrypted and has the secret. Keep the passphrase in another place.',
    ].join('\n')
  }
}

/** The backup is restored already, so a mirror that cannot be used is no failure of the command. */
export async function continueLog(mirror: string, print: PrintLine): Promise<void> {
  try {
    const missing = await readMissing(await openMirror(mirror))
    const { again } = await catchUp(missing, readClock())
    reportSince(missing.entries, again, print)
  } catch (error) {
    if (!(error instanceof ContinueRefused)) throw error
    print(`The log was not continued. ${error.message}`)
  }
}

const withoutMirror =
  'The mirror of a witness would show what happened since. If a witness has cosigned newer entries, continue the log before you start: operator log continue.'

/** The service should not use the role of the restore. In a database that `deploy/postgres-roles.sh` has not made, no other one has rights. */
async function reportRights(print: PrintLine): Promise<void> {
  const owner = config().databaseUrl === null ? null : await ownerAlone(db())
  if (owner !== null)
    print(
      `No role but ${owner} may use the tables. Give the role of the service its rights: the GRANT lines of /docs/hosts/operate#the-database-role`,
    )
}

function parseRestore(args: string[]): Work {
  const { path, passphraseFile, mirror } = readArguments('restore', args, true)
  return async (print) => {
    report(await restoreBackup(path, readPassphrase(passphraseFile), readClock()), print)
    await reportRights(print)
    if (mirror === undefined) print(withoutMirror)
    else await continueLog(mirror, print)
    return 'Start the service, and run operator doctor.'
  }
}

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    forms: [
      {
        args: '<file> [--passphrase-file <file>]',
        summary: 'Writes all data to a new file while the service runs, and opens the file to check it.',
      },
    ],
    details:
      'Files are named by absolute paths. The first line of the passphrase file is the passphrase, of twelve\ncharacters or more. With it the backup is encrypted (age-encryption.org/v1) and has the secret. Without\nit, keep the secret in another place: the backup cannot be restored without it.\nWith the embedded database, requests wait until the file is written.',
    withoutKeys: true,
    parse: parseBackup,
  },
  {
    name: 'restore',
    forms: [
      {
        args: '<file> [--passphrase-file <file>] [--mirror <folder or URL>]',
        summary:
          'Restores a backup into the empty `DATA_DIR` or `DATABASE_URL` of the environment, checks it, and ends what is too old.',
      },
    ],
    details:
      'The backup may be of an embedded database and go to PostgreSQL, or the other way round. Sessions,\ncodes, open permissions and waiting requests end, agents are suspended and rules paused until their owners\nresume them. A backup without passphrase needs BEAK_SECRET, or the file secret in DATA_DIR.\n--mirror: the mirror of a witness, as for log continue. The log goes on with its entries, and what\nthey show as ended since is ended again: accounts, certificates, agents, beak keys, passkeys.\nWith PostgreSQL, run the command with the role that owns the tables.',
    withoutKeys: true,
    opensDatabase: true,
    needsStoppedServer: 'Its database is not empty.',
    parse: parseRestore,
  },
]
