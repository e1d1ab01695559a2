/**
 * Thrown by a job that must wait until a later time, for instance because a daily limit is reached. The worker runs the job again
 * then, and does not count the attempt. A job that did a part of its work passes the payload to continue with.
 */
export class Postponed extends Error {
  constructor(
    readonly until: Date,
    readonly payload?: Record<string, string>,
  ) {
    super(`postponed until ${until.toISOString()}`)
    this.name = 'Postponed'
  }
}

/** How long a message waits that only a newer version can write: its worker may take it at any time. */
export const unknownSeconds = 60
