/** The help of the command line, derived from the table of commands. */

import { userInfo } from 'node:os'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { DataDirLocked } from '@/lib/db/embedded/open'
import { BackupRefused } from '@/lib/domain/backup/file'
import { SecretStillNeeded } from '@/lib/domain/secret-rotation/reseal'
import { ContinueRefused } from '@/lib/domain/tlog/own-entries'
import { stopSignals } from '@/lib/infrastructure/events/signals'
import { DistrustRefused, RetirementRefused } from '@/lib/infrastructure/keys/rotate'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { Failure } from '@/lib/kernel/request/failures'
import { log } from '@/lib/kernel/runtime/log'
import { socketPath } from '@/lib/kernel/runtime/operator-socket'
import { operatorCommand } from '@/lib/kernel/service/release'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { recorded } from './actions'
import { type Output, type Request, runInServer, secretsDigest } from './client'
import { type Command, CommandRefused, UsageError } from './command'
import { commands, getCommand } from './commands'

const start = operatorCommand('')
/** Removes the backticks of a summary, which are there for the Markdown tables of the documents. */
const plain = (summary: string) => summary.replaceAll('`', '')

function formsOf({ name, forms }: Command): string {
  return forms
    .map(({ args, summary }) => `  ${`${name} ${args}`.trimEnd()}\n      ${plain(summary)}`)
    .join('\n')
}

/** Returns every command with its arguments and one sentence. */
function usage(): string {
  return [
    `Usage: ${start}<command>`,
    '',
    commands.map(formsOf).join('\n'),
    '  help <command>\n      Explains a command.',
    '',
    'Set the same environment variables as for the server. With the embedded database, a running server runs the command.',
    'Otherwise the command opens the database.',
  ].join('\n')
}

/** Returns the details of a command. Throws `UsageError` when there is no such command. */
function explainCommand(name: string): string {
  const command = getCommand(name)
  const { forms, details, needsStoppedServer } = command
  return [
    ...forms.map(({ args }) => `Usage: ${start}${`${name} ${args}`.trimEnd()}`),
    '',
    ...forms.map(({ summary }) => plain(summary)),
    '',
    details,
    ...(needsStoppedServer ? [`Stop the server first. ${needsStoppedServer}`] : []),
  ].join('\n')
}

const asksForHelp = (word: string | undefined) => word === '--help' || word === '-h'

/** Returns the help that a command line asks for, or null when it asks for no help. Throws `UsageError` for an unknown command. */
export function helpFor([name, ...args]: string[]): string | null {
  if (name === undefined) return usage()
  if (name === 'help' || asksForHelp(name)) return args[0] === undefined ? usage() : explainCommand(args[0])
  return args.some(asksForHelp) ? explainCommand(name) : null
}

const expected = [
  StartProblem,
  RetirementRefused,
  DistrustRefused,
  ContinueRefused,
  SecretStillNeeded,
  CommandRefused,
  BackupRefused,
  Failure,
]

/** Returns the text of an error for the operator: the message of an expected error, the stack of any other. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage()}`
  if (error instanceof DataDirLocked)
    return `${error.message}\nThat process does not accept commands now. Wait until it has started or stopped, then run the command again. Or stop the server first.`
  if (!(error instanceof Error)) return String(error)
  return expected.some((kind) => error instanceof kind) ? error.message : String(error.stack)
}

/** Runs commands: in a running server, or in this process with the database. */

/** Runs a command in the server's process. Returns the exit code. */
export async function performInServer(
  { command: name, args, secrets, by }: Request,
  output: Output,
): Promise<number> {
  try {
    const command = getCommand(name)
    const work = command.parse(args)
    const { needsStoppedServer, usesSecrets } = command
    if (needsStoppedServer) {
      output.err(`${name} needs a stopped server. ${needsStoppedServer}`)
      output.err('Stop the server, run the command, and start the server again.')
      return 1
    }
    if (usesSecrets && secrets !== secretsDigest()) {
      output.err('The running server has another BEAK_SECRET or BEAK_SECRET_PREVIOUS than this command line.')
      output.err(`Restart the server with the same variables, or stop it, and run ${name} again.`)
      return 1
    }
    output.out(await recorded(command, args, by ?? null, () => work(output.out)))
    return 0
  } catch (error) {
    output.err(explain(error))
    return 1
  }
}

/** Returns the name of the user who runs the command line, or undefined when the system has none. */
function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** Opens the database and runs a command on it. Throws what the command throws, and `DataDirLocked`. */
async function runWithDatabase(name: string, args: string[], output: Output): Promise<number> {
  const command = getCommand(name)
  const work = command.parse(args)
  // Log lines would mix with the output of the command.
  if (log().isLevelEnabled('warn')) log().level = 'error'
  if (!command.opensDatabase) await openDatabase()
  try {
    if (!command.withoutKeys) await prepareKeys()
    output.out(await recorded(command, args, userName() ?? null, () => work(output.out)))
    return 0
  } finally {
    await stopSignals()
    await closeDatabase()
  }
}

/** Runs a command in the running server. Returns the exit code, or null when no server listens or the database is PostgreSQL. */
async function runInRunningServer(name: string, args: string[], output: Output): Promise<number | null> {
  const { databaseUrl, dataDir } = config()
  const path = databaseUrl === null ? socketPath(dataDir) : null
  if (path === null) return null
  return runInServer(path, { command: name, args, secrets: secretsDigest(), by: userName() }, output)
}

/** Runs a command line: prints help, or runs the command in a running server, or opens the database. Returns the exit code. */
export async function runCommandLine(line: string[], output: Output): Promise<number> {
  try {
    const help = helpFor(line)
    if (help !== null) {
      output.out(help)
      return 0
    }
    const [name = '', ...args] = line
    getCommand(name).parse(args)
    const exit = await runInRunningServer(name, args, output)
    if (exit !== null) return exit
    return await runWithDatabase(name, args, output).catch(async (error: unknown) => {
      // A server that was still starting before may listen now.
      const late = error instanceof DataDirLocked ? await runInRunningServer(name, args, output) : null
      if (late === null) throw error
      return late
    })
  } catch (error) {
    output.err(explain(error))
    return 1
  }
}
