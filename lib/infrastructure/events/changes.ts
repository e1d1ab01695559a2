/**
 * Who waits for a change of pecks in this process: a long poll on one peck, a stream on all of a duckling's. A signal only
 * says "look again" and carries nothing; what other instances do is found by looking now and then.
 */
import { EventEmitter } from 'node:events'
import type { Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { singleton } from '@/lib/kernel/singleton'

/** The columns of a peck that tell who waits for its changes. */
export interface ChangedPeck {
  id: string
  requesterDucklingId: string
  targetDucklingId: string
  blocked: boolean
}

const bus = () => singleton('pecks.changes', () => new EventEmitter().setMaxListeners(0))

/** Wakes, once `tx` has committed, those who wait for that peck, and both its sides unless one of them may not know. */
export function announce(tx: Tx, peck: ChangedPeck): void {
  onCommit(tx, () => {
    bus().emit(peck.id)
    bus().emit(peck.requesterDucklingId)
    if (!peck.blocked) bus().emit(peck.targetDucklingId)
  })
}

/** Wakes, once `tx` has committed, those who wait for anything of that duckling. */
export function announceTo(tx: Tx, ducklingId: string): void {
  onCommit(tx, () => bus().emit(ducklingId))
}

export interface Watch {
  /** Resolves at the next change, at once if there was one since the last time, or after that time, or when aborted. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>
  stop(): void
}

/** Watches a peck's id, or a duckling's for all its pecks, until stopped. */
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

/** Returns how many callers wait for an id: tests check that it returns to 0. @internal */
export function watchers(id: string): number {
  return bus().listenerCount(id)
}
