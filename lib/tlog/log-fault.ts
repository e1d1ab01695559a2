/** What a check of the transparency log found wrong. */
export interface LogFault {
  kind:
    | 'malformed'
    /** A checkpoint that none of the log's keys signed. */
    | 'signature'
    | 'origin'
    /** The log is shorter than it was. */
    | 'truncated'
    /** The log is not a continuation of what it was. */
    | 'rewritten'
    /** A file of the log is missing, or does not belong into the tree. */
    | 'tiles'
    /** An entry is not what a proof or an event says. */
    | 'entry'
    | 'inclusion'
    | 'witness'
  /** A sentence for people, or several. */
  message: string
}

export function logFault(kind: LogFault['kind'], message: string): LogFault {
  return { kind, message }
}

/** Stops a check that cannot go on. Caught by `verifyLog`. */
export class BrokenLog extends Error {
  override readonly name = 'BrokenLog'

  constructor(readonly fault: LogFault) {
    super(fault.message)
  }
}
