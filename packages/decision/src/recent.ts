/** Values by their key, of which those that were used last are kept. */

/** Keeps between `max / 2` and `max` values, in two generations, so no call has to search for what it can delete. */
export class Recent<T> {
  #recent = new Map<string, T>()
  #older = new Map<string, T>()

  constructor(readonly max: number) {}

  /** Returns the value of a key, or undefined. */
  find(key: string): T | undefined {
    const found = this.#recent.get(key)
    if (found !== undefined) return found
    const older = this.#older.get(key)
    if (older !== undefined) this.keep(key, older)
    return older
  }

  /** Keeps a value. Forgets those that were not used for the longest time when there are too many. */
  keep(key: string, value: T): T {
    if (this.#recent.size >= this.max / 2) this.forgetOlder()
    this.#recent.set(key, value)
    return value
  }

  /** Forgets what was not used since the last call. */
  forgetOlder(): void {
    this.#older = this.#recent
    this.#recent = new Map()
  }
}
