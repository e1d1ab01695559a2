/**
 * Thrown by a job of the worker that may not run before an instant, for instance because a daily limit is used up. The worker
 * runs the job again then, and does not count the attempt. A job that has done a part of its work gives the payload to go on with.
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
