/**
 * Gathers simultaneous lookups by key into one statement (`= ANY($1)`). Every lookup reads the database: its statement is sent after it
 * was asked for, so it sees everything that was committed before.
 */

interface Waiting<Row> {
  resolve(row: Row | null): void
  reject(error: unknown): void
}

/** Keys of one statement. */
const keysMax = 200
/** Statements of one lookup at a time. While they run, further lookups gather. */
const runningMax = 2

/** Returns a function that finds a row by key, or null. `read` returns the rows of some keys, in any order. */
export function batched<Row>(
  keyOf: (row: Row) => string,
  read: (keys: string[]) => Promise<Row[]>,
): (key: string) => Promise<Row | null> {
  let gathered = new Map<string, Waiting<Row>[]>()
  let isScheduled = false
  let running = 0

  function schedule(): void {
    if (isScheduled || running >= runningMax || gathered.size === 0) return
    isScheduled = true
    // After the callbacks of all requests that have arrived.
    setImmediate(() => {
      isScheduled = false
      void send()
    })
  }

  async function send(): Promise<void> {
    const batch = gathered
    gathered = new Map()
    running++
    try {
      const rows = await read([...batch.keys()])
      for (const row of rows) settle(batch, keyOf(row), (waiting) => waiting.resolve(row))
      for (const key of batch.keys()) settle(batch, key, (waiting) => waiting.resolve(null))
    } catch (error) {
      for (const key of batch.keys()) settle(batch, key, (waiting) => waiting.reject(error))
    } finally {
      running--
      schedule()
    }
  }

  function settle(batch: typeof gathered, key: string, end: (waiting: Waiting<Row>) => void): void {
    for (const waiting of batch.get(key) ?? []) end(waiting)
    batch.delete(key)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const waiting = gathered.get(key)
      if (waiting) waiting.push({ resolve, reject })
      else gathered.set(key, [{ resolve, reject }])
      if (gathered.size >= keysMax) void send()
      else schedule()
    })
}
