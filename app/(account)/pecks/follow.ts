/**
 * The event stream of one's pecks in the browser. Of all open tabs one holds the stream and tells the others, since browsers
 * open only six connections to a server that speaks HTTP/1.1. Whoever leads is settled by a lock, which the browser hands on
 * when the tab goes.
 */
import { withBasePath } from '@/app/_web/base-path'

export type Connection = 'connecting' | 'live' | 'polling'

export interface Change {
  peck_id: string
  status: string
}

interface Follower {
  onChange(change: Change): void
  /** Something may have been missed: look again. */
  onLook(): void
  onConnection(connection: Connection): void
}

type Message = { change: Change } | { connection: Connection } | 'look' | 'who leads?'

const firstPause = 1000
const longestPause = 30_000

/** Listens until the function it returns is called. */
export function followPecks(ducklingId: string, follower: Follower): () => void {
  const name = `beak.pecks.${ducklingId}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let leading: (() => Connection) | null = null
  let connection: Connection = 'connecting'

  function hear(message: Message) {
    if (message === 'who leads?') {
      if (leading) channel.postMessage({ connection: leading() })
    } else if (message === 'look') follower.onLook()
    else if ('change' in message) follower.onChange(message.change)
    else if (message.connection !== connection) {
      connection = message.connection
      follower.onConnection(connection)
      // What happened before the stream began, it does not tell.
      if (connection === 'live') follower.onLook()
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
  channel.postMessage('who leads?')
  const lead = () => {
    leading = listen((message) => {
      hear(message)
      channel.postMessage(message)
    }, leaving.signal)
    return new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
  }
  // Locks are there only where the page came over https, or from this machine.
  if (navigator.locks) navigator.locks.request(name, { signal: leaving.signal }, lead).catch(() => undefined)
  else void lead()
  return () => {
    leaving.abort()
    channel.close()
  }
}

/** Holds the stream, and comes back to it with growing pauses; meanwhile everybody looks for themselves. */
function listen(tell: (message: Message) => void, signal: AbortSignal): () => Connection {
  let state: Connection = 'connecting'
  let failures = 0
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  function turn(next: Connection) {
    state = next
    tell({ connection: next })
  }
  function connect() {
    source = new EventSource(withBasePath('/api/pecks/stream'))
    source.addEventListener('ready', () => {
      failures = 0
      turn('live')
    })
    source.addEventListener('peck', ({ data }: MessageEvent<string>) => {
      const { peck_id, status } = JSON.parse(data) as Change
      tell({ change: { peck_id, status } })
    })
    source.onerror = () => {
      source?.close()
      turn('polling')
      const pause = Math.min(longestPause, firstPause * 2 ** failures++)
      timer = setTimeout(
        () => {
          tell('look')
          connect()
        },
        pause * (0.5 + Math.random() / 2),
      )
    }
  }
  connect()
  signal.addEventListener('abort', () => {
    source?.close()
    clearTimeout(timer)
  })
  return () => state
}
