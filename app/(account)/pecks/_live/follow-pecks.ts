/**
 * Follows the viewer's pecks in the browser. Only one of the open tabs holds the event stream and passes events on to the others, because
 * browsers open only six HTTP/1.1 connections to a server. A lock decides which tab leads; the browser gives it to another tab when
 * the leading tab closes.
 */

import { withBasePath } from '@/components/base-path'
import { reachNow, reportAnswer, subscribe } from '@/components/connection/reach'
import { m } from '@/lib/kernel/messages'

export type Connection = 'connecting' | 'live' | 'polling'

export interface Change {
  peck_id: string
  status: string
}

interface Follower {
  onChange(change: Change): void
  /** A change may have been missed: reload the data. */
  onReload(): void
  onConnection(connection: Connection): void
}

type Message = { change: Change } | { connection: Connection } | 'reload' | 'who leads?'

const firstPause = 1000
const longestPause = 30_000
/** The service sends something at least every 15 seconds. A connection that is silent for longer has died without a word. */
const longestSilence = 40_000

/** Follows until the returned function is called. */
export function followPecks(ducklingId: string, follower: Follower): () => void {
  const name = `beak.pecks.${ducklingId}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let leaderConnection: (() => Connection) | null = null
  let connection: Connection = 'connecting'

  function receive(message: Message) {
    if (message === 'who leads?') {
      if (leaderConnection) channel.postMessage({ connection: leaderConnection() })
    } else if (message === 'reload') follower.onReload()
    else if ('change' in message) follower.onChange(message.change)
    else if (message.connection !== connection) {
      connection = message.connection
      follower.onConnection(connection)
      // The stream does not contain changes from before it began.
      if (connection === 'live') follower.onReload()
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data)
  channel.postMessage(m.requests_who_leads())
  const lead = () => {
    leaderConnection = openStream((message) => {
      receive(message)
      channel.postMessage(message)
    }, leaving.signal)
    return new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
  }
  // Locks exist only on pages that came over https or from this machine.
  if (navigator.locks) navigator.locks.request(name, { signal: leaving.signal }, lead).catch(() => undefined)
  else void lead()
  return () => {
    leaving.abort()
    channel.close()
  }
}

/**
 * Opens the stream and reconnects with growing pauses, and at once when the service is reached again. Meanwhile every tab reloads. Returns a
 * function that tells the connection.
 */
function openStream(send: (message: Message) => void, signal: AbortSignal): () => Connection {
  let state: Connection = 'connecting'
  let failures = 0
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let reach = reachNow()
  function changeTo(next: Connection) {
    state = next
    send({ connection: next })
  }
  function connect() {
    source = new EventSource(withBasePath('/api/pecks/stream'))
    heard()
    source.addEventListener('ready', () => {
      failures = 0
      answered()
      changeTo('live')
    })
    source.addEventListener('still_here', answered)
    source.addEventListener('peck', ({ data }: MessageEvent<string>) => {
      answered()
      const { peck_id, status } = JSON.parse(data) as Change
      send({ change: { peck_id, status } })
    })
    // The frame of the page warns of changes by other sessions.
    for (const type of ['peck_block', 'account_change'])
      source.addEventListener(type, () => {
        answered()
        send('reload')
      })
    source.onerror = broke
  }
  function broke() {
    stop()
    changeTo('polling')
    timer = setTimeout(reconnect, pauseAfter(failures++))
  }
  function answered() {
    reportAnswer()
    heard()
  }
  function heard() {
    clearTimeout(silence)
    silence = setTimeout(broke, longestSilence)
  }
  function reconnect() {
    send('reload')
    connect()
  }
  function stop() {
    source?.close()
    clearTimeout(timer)
    clearTimeout(silence)
  }
  // An open connection may outlive the network for a while, and a long pause may outlive the failure.
  const endReach = subscribe(() => {
    const before = reach
    reach = reachNow()
    if (reach === before) return
    if (reach === 'offline') broke()
    else if (reach === 'reached' && state !== 'live') {
      stop()
      reconnect()
    }
  })
  connect()
  signal.addEventListener('abort', () => {
    endReach()
    stop()
  })
  return () => state
}

/** Returns the milliseconds to wait after so many failures. Random, so that not all browsers come back at once. */
function pauseAfter(failures: number): number {
  return Math.min(longestPause, firstPause * 2 ** failures) * (0.5 + Math.random() / 2)
}
