/** The shape of a command of the operator. `commands.ts` has the table. */

/** Prints one line of progress. */
export type Say = (line: string) => void

/** The work of a command whose arguments were checked. Resolves with the last line to print. */
export type Work = (say: Say) => Promise<string>

export interface Command {
  name: string
  /** Each way to write the arguments, with one sentence that says what the command then does. */
  forms: readonly { args: string; summary: string }[]
  /** What an operator should know before running the command. */
  details: string
  /** Checks the arguments. Throws `UsageError`. */
  parse(args: string[]): Work
  /** Works without the private halves of keys, which may be encrypted with an unknown secret. */
  withoutKeys?: true
  /** Encrypts with the secrets of the process, so a server must have the secrets that the operator has set. */
  usesSecrets?: true
  /** Why the command cannot run beside a server that has the embedded database. */
  needsStoppedServer?: string
}

/** A command line that the operator must correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Why a command was not run, or not to its end. The message is for the operator. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

/** Returns a `parse` for a command that takes no arguments. */
export function withoutArguments(name: string, work: Work): Command['parse'] {
  return (args) => {
    if (args.length > 0) throw new UsageError(`${name} takes no arguments.`)
    return work
  }
}
