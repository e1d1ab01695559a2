/**
 * Exchanges signals with the other instances on one PostgreSQL. The signals of a few milliseconds go into one notification.
 *
 * No signal is lost silently. Whenever signals of another instance may have been lost, all topics are delivered: after the connection
 * was made again, every five seconds while there is none, and when an instance falls silent without a goodbye.
 *
 * While an instance hears no other instance, it sends no topics. Its next message then says "all": at once when it hears another instance,
 * else with the next beat or the goodbye. So a new instance that listens already, but has not been heard yet, misses nothing.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { startListener } from '@/lib/db/listener'
import { readClock } from '@/lib/kernel/runtime/clock'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import { version } from '@/lib/kernel/service/version'

/**
 * How often an instance sends something, so that the others notice when it crashes. Each notification is a transaction of its sender and one of
 * each listener: it was most of what idle instances asked of the database. Instances before 0.3.0 expect one within five seconds. @internal
 */
export const beatMs = 4_000
/** An instance that has been silent for this long has crashed, perhaps between a commit and its signal. */
const silenceMs = 10_000
/** How often all topics are delivered while there is no connection. */
const fallbackMs = 5_000
const checkMs = 500
const stopCheckMs = 20
/** The shortest time between two notifications. */
const pauseMs = 3
/** More characters of topics are replaced by "all": PostgreSQL allows less than 8000 bytes. */
const charactersMax = 7_000
/** How long a stopping instance waits until its last signals are sent. */
const lastSendMs = 2_000

/** The content of a notification. `all` replaces the list of topics when it is too long. */
interface Message {
  from: string
  /** Missing in messages of 0.2.0. */
  version?: string
  topics: string[]
  all?: true
  isLeaving?: true
}

export interface Exchange {
  /** Sends the topics to all other instances, at the latest when the connection is made again. */
  send(topics: Iterable<string>): void
  /** Returns the versions of the other instances that run now. Null: 0.2.0, which sends no version. */
  versions(): Set<string | null>
  /** Sends what is not sent yet, and says goodbye. */
  stop(): Promise<void>
}

/** Starts the exchange. `deliver` gets the topics of other instances, or null for all topics. */
export function startExchange(databaseUrl: string, deliver: (topics: string[] | null) => void): Exchange {
  const id = randomSecret(8)
  /** When each other instance was last heard, and its version. */
  const heard = new Map<string, { at: number; version: string | null }>()
  let unsent = new Set<string>()
  /** Whether topics were left out while no other instance was heard. The next message then says "all". */
  let isAllUnsent = false
  let connectedAt = 0
  let sending: Promise<void> | null = null
  let sentAt = 0
  let fallbackAt = readClock().getTime()

  const receive = ({ from, version: other, topics, all, isLeaving }: Message) => {
    if (from === id) return
    if (isLeaving) heard.delete(from)
    else heard.set(from, { at: readClock().getTime(), version: other ?? null })
    if (isAllUnsent) sending ??= sendUnsent()
    if (all) deliver(null)
    else if (topics.length > 0) deliver(topics)
  }
  const listener = startListener(databaseUrl, {
    onText: (text) => receive(JSON.parse(text) as Message),
    onConnected: (isBesideUnnamed) => {
      heard.clear()
      connectedAt = readClock().getTime()
      // Until it sends something itself.
      if (isBesideUnnamed) heard.set('unnamed', { at: readClock().getTime(), version: null })
      deliver(null)
      sending ??= sendUnsent()
    },
  })
  const notify = (message: Omit<Message, 'from' | 'version'>) => {
    sentAt = readClock().getTime()
    return listener.send(JSON.stringify({ from: id, version, ...message }))
  }

  /** Whether every other instance would have been heard by now. */
  const isAlone = () => heard.size === 0 && readClock().getTime() - connectedAt > silenceMs

  const sendUnsent = async () => {
    do {
      const topics = [...unsent]
      const isAll = isAllUnsent || topics.join().length > charactersMax
      unsent = new Set()
      isAllUnsent = false
      if (!(await notify(isAll ? { topics: [], all: true } : { topics }))) {
        unsent = new Set([...topics, ...unsent])
        isAllUnsent ||= isAll
        break
      }
      await wait(pauseMs)
    } while (unsent.size > 0 || (isAllUnsent && heard.size > 0))
    sending = null
  }

  const check = () => {
    const now = readClock().getTime()
    if (!listener.isConnected()) {
      if (now - fallbackAt < fallbackMs) return
      fallbackAt = now
      return deliver(null)
    }
    fallbackAt = now
    if (now - sentAt >= beatMs) sending ??= sendUnsent()
    const silent = [...heard].filter(([, { at }]) => now - at > silenceMs)
    for (const [other] of silent) heard.delete(other)
    if (silent.length > 0) deliver(null)
  }
  const timer = setInterval(check, checkMs).unref()

  return {
    send: (topics) => {
      for (const topic of topics) unsent.add(topic)
      if (unsent.size === 0 || !listener.isConnected()) return
      if (isAlone()) {
        unsent.clear()
        isAllUnsent = true
      } else sending ??= sendUnsent()
    },
    versions: () => new Set([...heard.values()].map((other) => other.version)),
    stop: async () => {
      clearInterval(timer)
      const end = readClock().getTime() + lastSendMs
      while ((unsent.size > 0 || sending !== null) && readClock().getTime() < end) await wait(stopCheckMs)
      await notify({ topics: [], isLeaving: true, ...(isAllUnsent && { all: true }) })
      await listener.close()
    },
  }
}
