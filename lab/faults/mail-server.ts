/** A mail server with moods. It keeps every mail that it took. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { atEnd } from '@/lab/bench/cleanup'
import { useConfig as replaceConfig } from '@/lib/kernel/config'
import { forget } from '@/lib/kernel/runtime/singleton'

/** `greylists`: refuses each address at its first try. `hangs`: gives no answer. `refuses`: closes at once (421). */
type MailMood = 'takes' | 'greylists' | 'hangs' | 'refuses' | 'fails'

export interface MailServer {
  setMood(mood: MailMood): void
  /** The texts of the mails to an address. */
  textsTo(address: string): readonly string[]
}

const failure = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** Starts the server and sends all mails of this process there. */
export async function startMailServer(): Promise<MailServer> {
  const mails = new Map<string, string[]>()
  const seen = new Set<string>()
  const sockets = new Set<Socket>()
  let mood: MailMood = 'takes'
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect: (_session, done) =>
      done(mood === 'refuses' ? failure(421, '4.3.2 Come back later') : undefined),
    onRcptTo({ address }, _session, done) {
      if (mood === 'hangs') return
      const isNew = !seen.has(address)
      seen.add(address)
      done(mood === 'greylists' && isNew ? failure(451, '4.7.1 Greylisted') : undefined)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (mood === 'hangs') return
        if (mood === 'fails') return done(failure(452, '4.3.1 Disk full'))
        for (const { address } of envelope.rcptTo)
          mails.set(address, [...(mails.get(address) ?? []), Buffer.concat(chunks).toString()])
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as { port: number }
  atEnd(() => void server.close())
  forget('smtp')
  replaceConfig({ smtp: { url: `smtp://127.0.0.1:${port}`, from: 'beak@localhost' } })
  return {
    setMood(next) {
      mood = next
      // Connections that hang do not notice that the server works again.
      for (const socket of sockets) socket.destroy()
    },
    textsTo: (address) => mails.get(address) ?? [],
  }
}
