import { readClock } from '@/lib/kernel/clock'
import { describeError, log } from '@/lib/kernel/log'

export interface Loop {
  name: string
  /** Returns the seconds that the running step has been running, and 0 between two steps. */
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
  let stepBegan: Date | null = null
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    let next = seconds
    while (again && !stopped) {
      again = false
      stepBegan = readClock()
      try {
        const wanted = await step()
        next = typeof wanted === 'number' ? wanted : seconds
      } catch (error) {
        if (!stopped) log().warn({ loop: name, error: describeError(error) }, 'worker step failed')
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
      stepBegan === null ? 0 : Math.max(0, (now.getTime() - stepBegan.getTime()) / 1000),
    turn,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
