/**
 * Signals wake what waits: event streams, long polls, the outbox worker. A signal has a topic, which is an id or a name, and no data.
 * It is sent after the commit, on PostgreSQL to all instances.
 */
import { EventEmitter } from 'node:events'
import type { Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { config } from '@/lib/kernel/config'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { type Exchange, startExchange } from './exchange'

interface Signals {
  listeners: EventEmitter
  /** Null with the embedded database, which has one instance. */
  exchange: Exchange | null
}

const signals = () =>
  singleton('signals', (): Signals => {
    const listeners = new EventEmitter().setMaxListeners(0)
    const deliver = (topics: string[] | null) => {
      for (const topic of topics ?? listeners.eventNames()) listeners.emit(topic)
    }
    const { listenerUrl } = config()
    return { listeners, exchange: listenerUrl === null ? null : startExchange(listenerUrl, deliver) }
  })

/** The topics that a transaction signals after its commit, and whether one instance with a listener is enough. */
const collected = new WeakMap<object, Map<string, { isOneEnough: boolean }>>()

function collect(tx: Tx, topics: string[], isOneEnough: boolean): void {
  const known = collected.get(tx)
  const all = known ?? new Map<string, { isOneEnough: boolean }>()
  for (const topic of topics) all.set(topic, { isOneEnough })
  if (known !== undefined) return
  collected.set(tx, all)
  onCommit(tx, () => {
    const { listeners, exchange } = signals()
    const forOthers = [...all].filter(([topic, to]) => !(listeners.emit(topic) && to.isOneEnough))
    exchange?.send(forOthers.map(([topic]) => topic))
  })
}

/** Signals topics on all instances after the commit. */
export function signal(tx: Tx, ...topics: string[]): void {
  collect(tx, topics, false)
}

/** Signals a topic on this instance after the commit, or on all others when nothing listens to the topic here. */
export function signalOne(tx: Tx, topic: string): void {
  collect(tx, [topic], true)
}

/** Signals topics on all other instances now. */
export function signalOthers(topics: string[]): void {
  signals().exchange?.send(topics)
}

/** Calls `listener` at every signal of a topic. Returns a function that removes the listener. */
export function onSignal(topic: string, listener: () => void): () => void {
  signals().listeners.on(topic, listener)
  return () => signals().listeners.off(topic, listener)
}

/** Returns the number of listeners of a topic on this instance. */
function countListeners(topic: string): number {
  return signals().listeners.listenerCount(topic)
}

/**
 * Whether an instance of 0.2.0 runs on the same database, which must be able to finish what this one begins. Still true for ten seconds after
 * that instance has crashed. Never true without notifications.
 */
export function isBesideFirstRelease(): boolean {
  return signals().exchange?.versions().has(null) ?? false
}

/** Starts to exchange signals with the other instances. Otherwise the first signal or listener starts it. */
export function startSignals(): void {
  signals()
}

/** Sends the last signals and ends the exchange. Call it before the database is closed. */
export async function stopSignals(): Promise<void> {
  await signals().exchange?.stop()
  forget('signals')
}

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
