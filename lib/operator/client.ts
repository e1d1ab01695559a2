/**
 * The protocol of the operator's socket: JSON, one object per line. The command line sends one request. The server sends each line
 * of output as the command prints it, and the exit code last.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import { config } from '@/lib/kernel/config'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { CommandRefused } from './command'

export const Request = z.strictObject({
  command: z.string().max(100),
  args: z.array(z.string().max(10_000)).max(100),
  /** The digest of the command line's secrets, see `secretsDigest`. */
  secrets: z.string().max(100),
  /** The user of the operating system, for the list of actions. */
  by: z.string().max(100).optional(),
})
export type Request = z.infer<typeof Request>

export const Message = z.union([
  z.strictObject({ out: z.string() }),
  z.strictObject({ err: z.string() }),
  z.strictObject({ exit: z.number().int() }),
])
export type Message = z.infer<typeof Message>

/** Maximum number of characters in a line. Our command line never sends more. */
const lineMax = 2_000_000

export function formatLine(value: Request | Message): string {
  return `${JSON.stringify(value)}\n`
}

/** Returns a function that takes the next piece of text and returns the completed lines. Throws when a line is too long. */
export function lineReader(): (chunk: string) => string[] {
  let rest = ''
  return (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineMax) throw new Error('A line of the operator’s socket is too long.')
    return lines
  }
}

/** Returns a digest of this process's secrets. Two processes compare it to know whether they have the same secrets. */
export function secretsDigest(): string {
  const { secret, previousSecret } = config()
  const texts = [secret, previousSecret ?? Buffer.alloc(0)].map((bytes) => Buffer.from(bytes).toString('hex'))
  return sha256Hex(`beak/operator ${texts.join(' ')}`)
}

/** The client of the operator's socket: the command line. */

export interface Output {
  out(line: string): void
  err(text: string): void
}

/** Returns a connection to the server, or null when no server listens. */
async function connectToServer(path: string): Promise<Socket | null> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
    if (code === 'EACCES' || code === 'EPERM')
      throw new CommandRefused(
        `Only the owner of the data folder may run commands: ${path} belongs to another user.`,
      )
    throw error
  }
}

/**
 * Runs a command in the server and prints its output. Returns the exit code, or null when no server listens. Throws
 * `CommandRefused` when the server ends before the command does.
 */
export async function runInServer(path: string, request: Request, output: Output): Promise<number | null> {
  const socket = await connectToServer(path)
  if (socket === null) return null
  socket.setEncoding('utf8').write(formatLine(request))
  const read = lineReader()
  try {
    for await (const chunk of socket)
      for (const line of read(String(chunk))) {
        const message = Message.parse(JSON.parse(line))
        if ('exit' in message) return message.exit
        if ('out' in message) output.out(message.out)
        else output.err(message.err)
      }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ECONNRESET' && code !== 'EPIPE') throw error
  } finally {
    socket.destroy()
  }
  throw new CommandRefused(
    'The server ended before the command did. Check what the command has done, then run it again.',
  )
}
