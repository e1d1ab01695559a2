/**
 * Wakes requests of this process that wait for a change of pecks: long polls on one peck, and streams on all pecks of a duckling.
 * A signal contains no data. Waiting requests also poll, because signals of other instances do not arrive here.
 */
import { EventEmitter } from 'node:events'
import type { Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { singleton } from '@/lib/kernel/singleton'

/** The columns of a peck that decide who is woken. */
export interface ChangedPeck {
  id: string
  requesterDucklingId: string
  targetDucklingId: string
  blocked: boolean
}

const bus = () => singleton('pecks.changes', () => new EventEmitter().setMaxListeners(0))

/** After the commit, wakes requests that wait for the peck or for its asker or target. Skips the target of a blocked peck. */
export function announce(tx: Tx, peck: ChangedPeck): void {
  onCommit(tx, () => {
    bus().emit(peck.id)
    bus().emit(peck.requesterDucklingId)
    if (!peck.blocked) bus().emit(peck.targetDucklingId)
  })
}

/** After the commit, wakes requests that wait for anything of a duckling. */
export function announceTo(tx: Tx, ducklingId: string): void {
  onCommit(tx, () => bus().emit(ducklingId))
}

export interface Watch {
  /** Resolves at the next change, after the time, or when aborted. Resolves at once after a change since the last call. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>
  stop(): void
}

/** Watches a peck, or all pecks of a duckling, until stopped. `id` is the id of the peck or the duckling. */
export function watch(id: string): Watch {
  let changed = false
  let wake: (() => void) | null = null
  const listener = () => {
    changed = true
    wake?.()
  }
  bus().on(id, listener)
  return {
    next: (milliseconds, signal) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          wake = null
          changed = false
          resolve()
        }
        const timer = setTimeout(done, changed || signal.aborted ? 0 : milliseconds)
        signal.addEventListener('abort', done)
        wake = done
      }),
    stop: () => bus().off(id, listener),
  }
}

/** Returns the number of watches of an id. For tests. @internal */
export function watchers(id: string): number {
  return bus().listenerCount(id)
}
