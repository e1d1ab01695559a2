/** Runs commands: in a running server, or on the database itself. */
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { DataDirLocked } from '@/lib/db/pglite'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
import { type Output, runInServer } from './client'
import { getCommand } from './commands'
import { explain } from './explain'
import { helpFor } from './help'
import { type Request, secretsDigest, socketPath } from './protocol'

/** Runs a command in this process, which serves requests meanwhile. Returns the exit code. */
export async function performInServer(
  { command: name, args, secrets }: Request,
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
      output.err('The running server has another BEAK_SECRET or BEAK_SECRET_PREVIOUS than this command.')
      output.err(`Restart the server with the same variables, or stop it, and run ${name} again.`)
      return 1
    }
    output.out(await work(output.out))
    return 0
  } catch (error) {
    output.err(explain(error))
    return 1
  }
}

/** Opens the database and runs a command on it. Throws what the command throws, and `DataDirLocked`. */
async function performHere(name: string, args: string[], output: Output): Promise<number> {
  const command = getCommand(name)
  const work = command.parse(args)
  // Lines of the log would stand between the lines of the command.
  if (log().isLevelEnabled('warn')) log().level = 'error'
  await openDatabase()
  try {
    if (!command.withoutKeys) await prepareKeys()
    output.out(await work(output.out))
    return 0
  } finally {
    await closeDatabase()
  }
}

/** Returns the exit code of the running server, or null when none listens. With PostgreSQL no server is asked. */
async function performThere(name: string, args: string[], output: Output): Promise<number | null> {
  const { databaseUrl, dataDir } = config()
  const path = databaseUrl === null ? socketPath(dataDir) : null
  if (path === null) return null
  return runInServer(path, { command: name, args, secrets: secretsDigest() }, output)
}

/** Runs a command line: shows help, or lets a running server do the work, or opens the database. Returns the exit code. */
export async function runCommandLine(line: string[], output: Output): Promise<number> {
  try {
    const help = helpFor(line)
    if (help !== null) {
      output.out(help)
      return 0
    }
    const [name = '', ...args] = line
    getCommand(name).parse(args)
    const exit = await performThere(name, args, output)
    if (exit !== null) return exit
    return await performHere(name, args, output).catch(async (error: unknown) => {
      // A server that was starting a moment ago may listen now.
      const late = error instanceof DataDirLocked ? await performThere(name, args, output) : null
      if (late === null) throw error
      return late
    })
  } catch (error) {
    output.err(explain(error))
    return 1
  }
}
