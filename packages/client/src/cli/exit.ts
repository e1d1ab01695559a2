/** How the command ends. Scripts rely on these codes: README, "Exit codes". */

export const exitCodes = {
  ok: 0,
  /** The service or the person said no. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** No session or key, or one that is not valid any more. */
  notSignedIn: 3,
  /** What was checked is not valid. */
  notValid: 4,
  /** The service cannot be reached, or something else answers there. */
  unreachable: 5,
  /** Nobody has decided yet. */
  pending: 6,
  /** A fault of this program. */
  fault: 70,
  /** Interrupted with Ctrl+C. */
  interrupted: 130,
} as const

/** Ends the command with a message and an exit code. */
export class Exit extends Error {
  override readonly name = 'Exit'

  constructor(
    readonly code: (typeof exitCodes)[keyof typeof exitCodes],
    message: string,
    /** What to do next. */
    readonly hint = '',
  ) {
    super(message)
  }
}

export const usageFault = (message: string, hint = '') => new Exit(exitCodes.usage, message, hint)
