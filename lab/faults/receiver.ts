/** A receiver of webhooks with moods. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { atEnd } from '@/lab/bench/cleanup'

type ReceiverMood = 'takes' | 'fails' | 'hangs' | 'closes'

export interface Receiver {
  url: string
  setMood(mood: ReceiverMood): void
  /** The ids of the messages that it has taken. */
  taken: ReadonlySet<string>
  /** Refuses the next request to a path. */
  refuseNext(path: string): void
  /** Returns how many requests to a path it has taken. */
  countTaken(path: string): number
}

export async function startReceiver(): Promise<Receiver> {
  const taken = new Set<string>()
  const paths = new Map<string, number>()
  const refused = new Set<string>()
  let mood: ReceiverMood = 'takes'
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (mood === 'hangs') return
      if (mood === 'closes') return void request.destroy()
      const path = request.url ?? ''
      const isTaken = mood === 'takes' && !refused.delete(path)
      if (isTaken) {
        taken.add(String(request.headers['webhook-id']))
        paths.set(path, (paths.get(path) ?? 0) + 1)
      }
      response.writeHead(isTaken ? 200 : 500).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    setMood(next) {
      mood = next
      server.closeAllConnections()
    },
    taken,
    refuseNext: (path) => void refused.add(path),
    countTaken: (path) => paths.get(path) ?? 0,
  }
}
