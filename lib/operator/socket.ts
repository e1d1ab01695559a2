/**
 * The server of the operator's socket: a Unix socket in the data folder, which only the owner of the folder can open. The caller
 * holds the lock of the folder, so an existing socket file was left behind by a killed process.
 *
 * Commands run one after another. A running command continues when its client disconnects, because a partial change is worse than a
 * complete one. A waiting command is dropped when its client disconnects.
 */
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { formatLine, lineReader, type Message, type Output, Request } from './client'

/** Runs a command and returns its exit code. Does not throw. */
export type Perform = (request: Request, output: Output) => Promise<number>

export interface CommandSocket {
  /** Accepts no more commands, and waits up to `graceMilliseconds` for the running command. */
  stop(graceMilliseconds?: number): Promise<void>
}

/** How long a client may take to send its request. */
const requestMilliseconds = 5_000
const graceDefault = 5_000

/** Returns the request of a client, or null when it is not valid or too late. Ignores everything after the first line. */
function readRequest(socket: Socket): Promise<Request | null> {
  return new Promise((resolve) => {
    const read = lineReader()
    const timer = setTimeout(() => resolve(null), requestMilliseconds).unref()
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      try {
        const [line] = read(chunk)
        if (line !== undefined) resolve(Request.parse(JSON.parse(line)))
      } catch {
        resolve(null)
      }
    })
    socket.once('close', () => resolve(null)).once('close', () => clearTimeout(timer))
  })
}

class Queue {
  private last: Promise<void> = Promise.resolve()
  private running: string | null = null
  private waiting = 0
  private isStopping = false
  private readonly sockets = new Set<Socket>()

  constructor(private readonly perform: Perform) {}

  async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket)
    socket.once('close', () => this.sockets.delete(socket))
    // After an error the socket closes, and the `close` event is handled.
    socket.on('error', () => undefined)
    const request = await readRequest(socket)
    if (request === null)
      return refuse(socket, 'This is not a request from the command line of the operator.')
    if (this.running !== null || this.waiting > 0)
      send(socket, { err: `Waiting until ${this.running ?? 'another command'} has ended.` })
    this.waiting++
    this.last = this.last.then(() => this.run(socket, request))
  }

  private async run(socket: Socket, request: Request): Promise<void> {
    this.waiting--
    if (this.isStopping) return refuse(socket, 'The server is stopping, so the command was not run.')
    if (socket.destroyed) return
    this.running = request.command
    log().info({ command: request.command }, 'operator command')
    const exit = await this.perform(request, {
      out: (line) => send(socket, { out: line }),
      err: (text) => send(socket, { err: text }),
    })
    log().info({ command: request.command, exit }, 'operator command ended')
    this.running = null
    finish(socket, exit)
  }

  async stop(graceMilliseconds: number): Promise<void> {
    this.isStopping = true
    const timer = new AbortController()
    await Promise.race([
      this.last,
      wait(graceMilliseconds, undefined, { signal: timer.signal }).catch(() => undefined),
    ])
    timer.abort()
    for (const socket of this.sockets)
      refuse(
        socket,
        'The server stopped before the command had ended. Check what the command has done, then run it again.',
      )
  }
}

function send(socket: Socket, message: Message): void {
  if (socket.writable) socket.write(formatLine(message))
}

function finish(socket: Socket, exit: number): void {
  if (socket.writable) socket.end(formatLine({ exit }))
}

function refuse(socket: Socket, reason: string): void {
  send(socket, { err: reason })
  finish(socket, 1)
}

/** Listens for commands. Returns null, and logs why, when the file system allows no sockets. */
export async function listenForCommands(path: string, perform: Perform): Promise<CommandSocket | null> {
  const queue = new Queue(perform)
  const server = createServer((socket) => void queue.serve(socket))
  rmSync(path, { force: true })
  try {
    await once(server.listen(path), 'listening')
    chmodSync(path, 0o600)
  } catch (error) {
    log().warn({ error: describeError(error) }, 'commands of the operator need a stopped server')
    return null
  }
  const remove = () => rmSync(path, { force: true })
  // Runs before the lock of the folder is removed. After that, the socket may belong to another process.
  process.prependOnceListener('exit', remove)
  return {
    stop: async (graceMilliseconds = graceDefault) => {
      server.close()
      await queue.stop(graceMilliseconds)
      process.off('exit', remove)
    },
  }
}
