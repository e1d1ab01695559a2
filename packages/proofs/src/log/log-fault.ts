import type { CheckpointFork } from './checkpoint-store'

/** A fault that a check of the transparency log found. */
export interface LogFault {
  kind:
    | 'malformed'
    /** A checkpoint that none of the log's keys signed. */
    | 'signature'
    | 'origin'
    /** The log is shorter than it was. */
    | 'truncated'
    /** The log does not continue its earlier state. */
    | 'rewritten'
    /** A file of the log is missing, or does not fit the tree. */
    | 'tiles'
    /** An entry differs from the entry that a proof or an event names. */
    | 'entry'
    | 'inclusion'
    | 'witness'
  /** A sentence for people, or several. */
  message: string
  /** The signed notes that prove that the log showed two histories, when the fault is about a remembered checkpoint. Keep both. */
  fork?: CheckpointFork
}

/** Messages name at most this many entries one by one. */
export const namedMax = 10

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

/** What to do about an export without its part of the transparency log. */
export const noLogPart =
  'The export has no proof from the transparency log (audit.log), so nothing shows that the service did not rewrite this log. Export your account again, or compare with a head that you kept. When the proof is still missing after a minute, the service hides it from you.'
