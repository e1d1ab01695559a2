import { describeError, log } from '@/lib/kernel/log'

export interface Loop {
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
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    let next = seconds
    while (again && !stopped) {
      again = false
      try {
        const wanted = await step()
        next = typeof wanted === 'number' ? wanted : seconds
      } catch (error) {
        if (!stopped) log().warn({ loop: name, error: describeError(error) }, 'worker step failed')
      }
    }
    running = null
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
    turn,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
