/**
 * Counts statements: a proxy between Beak and PostgreSQL that counts the messages Query and Execute of the wire protocol. BEGIN and
 * COMMIT count too, because each costs a round trip or a part of one.
 */
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../cleanup'
import { freePort } from './free-port'

export interface StatementCounter {
  databaseUrl: string
  /** Statements since the start. */
  count(): number
}

const query = 'Q'.charCodeAt(0)
const execute = 'E'.charCodeAt(0)

/** Calls `onMessage` with the type of each message of a client, in pieces as they arrive. */
function messageReader(onMessage: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let skip = 0
  // The first message of a connection has no type, only a length.
  let isFirst = true
  return (chunk) => {
    let at = Math.min(skip, chunk.length)
    skip -= at
    if (skip > 0) return
    const bytes = rest.length === 0 ? chunk.subarray(at) : Buffer.concat([rest, chunk.subarray(at)])
    at = 0
    for (;;) {
      const head = isFirst ? 4 : 5
      if (bytes.length - at < head) break
      const type = isFirst ? 0 : bytes.readUInt8(at)
      const end = at + bytes.readUInt32BE(at + head - 4) + (isFirst ? 0 : 1)
      onMessage(type)
      isFirst = false
      if (end > bytes.length) {
        skip = end - bytes.length
        rest = Buffer.alloc(0)
        return
      }
      at = end
    }
    rest = Buffer.from(bytes.subarray(at))
  }
}

/** Starts the proxy in this process. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl)
  let statements = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    const read = messageReader((type) => {
      if (type === query || type === execute) statements++
    })
    client.on('data', read)
    client.pipe(upstream).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return { databaseUrl: url.href, count: () => statements }
}
