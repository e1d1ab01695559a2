import { isFullDiskError } from '@/lib/db/full-disk'
import { readClock } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'

export interface Loop {
  name: string
  /** Returns the seconds that the running step will have been running at `now`, and 0 between two steps. */
  busySeconds(now: Date): number
  /** Runs the step now or, when it is running, once more afterwards. Resolves after the step. */
  turn(): Promise<void>
  /** Ends the loop and waits for the running step. */
  stop(): Promise<void>
}

/**
 * Runs `step` now, at every `turn()`, and `seconds` after the last step has ended. Null means: only at `turn()`. A step may return
 * another number of seconds. Steps never overlap.
 */
export function loop(name: string, seconds: number | null, step: () => Promise<unknown>): Loop {
  let stopped = false
  let again = false
  let running: Promise<void> | null = null
  /** By the steady clock: a clock that is set must not make a step look stuck. */
  let stepBegan: number | null = null
  let timer: NodeJS.Timeout | undefined
  let hasReportedDisk = false
  const fail = (error: unknown) => {
    const isDisk = isFullDiskError(error)
    // A step every two seconds would fill the log, and its stack says nothing about the disk.
    if (isDisk && !hasReportedDisk) log().warn({ loop: name }, 'worker step failed: disk full')
    if (!isDisk) log().warn({ loop: name, error: describeError(error) }, 'worker step failed')
    hasReportedDisk = isDisk
  }
  const run = async () => {
    let next = seconds
    while (again && !stopped) {
      again = false
      stepBegan = performance.now()
      try {
        const wanted = await step()
        next = typeof wanted === 'number' ? wanted : seconds
        hasReportedDisk = false
      } catch (error) {
        if (!stopped) fail(error)
      }
    }
    running = null
    stepBegan = null
    if (next !== null && !stopped) timer = setTimeout(turn, next * 1000).unref()
  }
  const turn = async () => {
    if (stopped) return
    clearTimeout(timer)
    again = true
    running ??= run()
    await running
  }
  void turn()
  return {
    name,
    busySeconds: (now) =>
      stepBegan === null
        ? 0
        : Math.max(0, (performance.now() - stepBegan + now.getTime() - readClock().getTime()) / 1000),
    turn,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Runs what simultaneous rows have in common with few statements: their codes, their renewals, their ends. */

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Items of one run. */
const itemsMax = 200

/**
 * Returns a function that runs one item together with the items of other simultaneous calls. `run` returns a result for each item, in the
 * same order. When it throws, each item runs alone, so that a faulty item does not fail the others. Runs never overlap.
 */
export function gathered<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const settle = async (batch: typeof waiting): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      const [first, ...rest] = batch
      if (rest.length === 0) first?.reject(error)
      else for (const one of batch) await settle([one])
    }
  }
  const runAll = async () => {
    while (waiting.length > 0) await settle(waiting.splice(0, itemsMax))
    isRunning = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      // After the callbacks of everything that has arrived.
      setImmediate(runAll)
    })
}
