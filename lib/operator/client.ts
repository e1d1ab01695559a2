/** The client of the operator's socket: the command line. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { CommandRefused } from './command'
import { formatLine, lineReader, Message, type Request } from './protocol'

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
