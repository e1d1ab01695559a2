/** Wakes requests that wait for a change of pecks: long polls on one peck, and streams on all pecks of a duckling. */
import type { Tx } from '@/lib/db/client'
import { countListeners, onSignal, signal } from './signals'

/** The columns of a peck that decide who is woken. */
export interface ChangedPeck {
  id: string
  requesterDucklingId: string
  targetDucklingId: string
  blocked: boolean
}

/** After the commit, wakes requests that wait for the peck or for its asker or target. Skips the target of a blocked peck. */
export function announce(tx: Tx, peck: ChangedPeck): void {
  signal(tx, peck.id, peck.requesterDucklingId)
  if (!peck.blocked) signal(tx, peck.targetDucklingId)
}

export interface Watch {
  /**
   * Returns true at the next signal, and false after the time or when aborted. Returns true at once after a signal since the last
   * call. A signal does not mean that something has changed.
   */
  next(milliseconds: number, signal: AbortSignal): Promise<boolean>
  stop(): void
}

/** Watches topics until stopped: the ids of a peck, of a duckling, or of the session or agent whose end matters. */
export function watch(...topics: string[]): Watch {
  let isSignalled = false
  let wake: (() => void) | null = null
  const listener = () => {
    isSignalled = true
    wake?.()
  }
  const ends = topics.map((topic) => onSignal(topic, listener))
  return {
    next: (milliseconds, aborted) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          aborted.removeEventListener('abort', done)
          wake = null
          resolve(isSignalled && !aborted.aborted)
          isSignalled = false
        }
        const timer = setTimeout(done, isSignalled || aborted.aborted ? 0 : milliseconds)
        aborted.addEventListener('abort', done)
        wake = done
      }),
    stop: () => {
      for (const end of ends) end()
    },
  }
}

/** Returns the number of watches of an id. For tests. @internal */
export function watchers(id: string): number {
  return countListeners(id)
}
