import { onNudge } from '@/lib/infrastructure/events/outbox'
import { describeError, log } from '@/lib/kernel/log'

export interface Loop {
  /** Runs the step now or, when it is running, once more afterwards. */
  turn(): void
  /** Ends the loop and waits for the running step. */
  stop(): Promise<void>
}

/** Runs `step` every `seconds` and, if `nudged`, at every nudge of the outbox. Steps never overlap. */
export function loop(name: string, seconds: number, nudged: boolean, step: () => Promise<unknown>): Loop {
  let stopped = false
  let again = false
  let running: Promise<void> | null = null
  const turn = () => {
    if (stopped) return
    again = true
    running ??= (async () => {
      while (again && !stopped) {
        again = false
        try {
          await step()
        } catch (error) {
          if (!stopped) log().warn({ loop: name, error: describeError(error) }, 'worker step failed')
        }
      }
      running = null
    })()
  }
  const timer = setInterval(turn, seconds * 1000)
  timer.unref()
  const offNudge = nudged ? onNudge(turn) : () => undefined
  turn()
  return {
    turn,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      offNudge()
      await running
    },
  }
}
