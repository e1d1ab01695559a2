import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/kernel/config'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { awaitServer } from './await-server'

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Returns the port of a server that does so with each connection. */
async function listening(onConnection: (socket: Socket) => void, port = 0): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket)
    onConnection(socket.on('error', () => undefined))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

/** An error of the server, before the authentication (PostgreSQL, section 55.7). */
function errorMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Resolves with the error of a wait, and the lines that it printed. */
async function waitFor(url: string, seconds: number): Promise<{ error: unknown; lines: string[] }> {
  const lines: string[] = []
  const error = await awaitServer(url, seconds, (line) => lines.push(line)).catch((reason: unknown) => reason)
  return { error, lines }
}

const login = 'beak:a-password'
const urlOf = (port: number) => `postgresql://${login}@127.0.0.1:${port}/pond`

describe('awaitServer', () => {
  it('prints where it waits and why, and then says what to do, without the password', async () => {
    const port = await listening(() => undefined)
    servers.splice(0)[0]?.close()
    const { error, lines } = await waitFor(urlOf(port), 1)
    const place = `PostgreSQL at 127.0.0.1, port ${port}, database pond`
    expect(lines).toEqual([`Waiting for ${place}: nothing listens there (0 of 1 s)`])
    expect(error).toBeInstanceOf(StartProblem)
    expect((error as Error).message).toMatch(`${place}: nothing listens there, for 1 s. Start the server`)
    expect(JSON.stringify([lines, (error as Error).message])).not.toContain('a-password')
  })

  it('goes on when a server that was starting accepts connections', async () => {
    let connections = 0
    const port = await listening((socket) => {
      connections++
      if (connections < 3) socket.end(errorMessage('57P03', 'the database system is starting up'))
      // AuthenticationOk and ReadyForQuery.
      else socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')))
    })
    const { error, lines } = await waitFor(urlOf(port), 30)
    expect(error).toBeUndefined()
    expect(lines[0]).toContain('the database system is starting up')
    expect(connections).toBe(3)
  })

  it.each([
    ['3D000', 'database "pond" does not exist', 'It has no database pond. Create it'],
    ['28P01', 'password authentication failed', 'It refuses the user beak'],
    ['28000', 'no pg_hba.conf entry', 'pg_hba.conf'],
    ['42501', 'permission denied', 'It cannot be used: permission denied.'],
  ])('does not wait when it does not help: %s', async (code, message, words) => {
    const port = await listening((socket) => socket.end(errorMessage(code, message)))
    const { error, lines } = await waitFor(urlOf(port), 60)
    expect(lines).toEqual([])
    expect(error).toBeInstanceOf(StartProblem)
    expect((error as Error).message).toContain(words)
  })

  it.runIf(config().databaseUrl)('names a database that a real server does not have', async () => {
    const url = Object.assign(new URL(config().databaseUrl ?? ''), { pathname: '/nowhere' }).href
    const { error } = await waitFor(url, 60)
    expect((error as Error).message).toContain('It has no database nowhere.')
  })
})
