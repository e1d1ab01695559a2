/** A receiver of webhooks with moods. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { atEnd } from '@/bench/cleanup'

type ReceiverMood = 'takes' | 'fails' | 'hangs' | 'closes'

export interface Receiver {
  url: string
  setMood(mood: ReceiverMood): void
  /** The ids of the messages that it has taken. */
  taken: ReadonlySet<string>
}

export async function startReceiver(): Promise<Receiver> {
  const taken = new Set<string>()
  let mood: ReceiverMood = 'takes'
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (mood === 'hangs') return
      if (mood === 'closes') return void request.destroy()
      if (mood === 'takes') taken.add(String(request.headers['webhook-id']))
      response.writeHead(mood === 'fails' ? 500 : 200).end()
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
  }
}
