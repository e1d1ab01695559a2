/** Runs commands: in a running server, or in this process with the database. */
import { userInfo } from 'node:os'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { DataDirLocked } from '@/lib/db/embedded/open'
import { stopSignals } from '@/lib/infrastructure/events/signals'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
import { socketPath } from '@/lib/kernel/operator-socket'
import { recorded } from './actions'
import { type Output, runInServer } from './client'
import { getCommand } from './commands'
import { explain } from './explain'
import { helpFor } from './help'
import { type Request, secretsDigest } from './protocol'

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
