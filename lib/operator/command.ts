/** The shape of a command of the operator. `commands.ts` has the table. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Prints one line of progress. */
export type PrintLine = (line: string) => void

/** Runs a command with checked arguments. Resolves with the last line to print. */
export type Work = (print: PrintLine) => Promise<string>

export interface Command {
  name: string
  /** Each form of the arguments, with one sentence that says what the command does in that form. */
  forms: readonly { args: string; summary: string }[]
  /** What an operator should know before running the command. */
  details: string
  /** Checks the arguments. Throws `UsageError`. */
  parse(args: string[]): Work
  /** The command works without private keys, which may be encrypted with an unknown secret. */
  withoutKeys?: true
  /** The command encrypts with the secrets of the process, so a running server must have the same secrets as the command line. */
  usesSecrets?: true
  /** The command opens the database itself. */
  opensDatabase?: true
  /** Arguments with which the command changes nothing, by their first word, or true: then no action is recorded. */
  reads?: true | readonly string[]
  /** Why the command cannot run while a server uses the embedded database. */
  needsStoppedServer?: string
}

/** The arguments are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was not run, or did not finish. The message says why. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

/** Reads options and positional arguments. Throws `UsageError` with the name of the command, and with a hint at its end. */
export function parseOptions<T extends ParseArgsConfig>(
  name: string,
  config: T,
  hint = '',
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}${hint}`)
  }
}

/** Returns a `parse` for a command that takes no arguments. */
export function withoutArguments(name: string, work: Work): Command['parse'] {
  return (args) => {
    if (args.length > 0) throw new UsageError(`${name} takes no arguments.`)
    return work
  }
}
