/** The socket of a running service in its data folder, on which it takes commands of the operator. */
import { connect } from 'node:net'
import { relative, resolve } from 'node:path'

/** Maximum bytes of a socket's path. macOS allows 103. Some versions of Node cut longer paths off silently. */
const pathMax = 100

/**
 * Returns the path of the socket in a data folder, relative to the working directory when that is shorter. Returns null when the path
 * is too long, and on Windows, where file permissions do not protect a pipe.
 */
export function socketPath(dataDir: string): string | null {
  if (process.platform === 'win32') return null
  const path = resolve(/* turbopackIgnore: true */ dataDir, 'operator.sock')
  const [shorter = path] = [path, relative(process.cwd(), path)].sort((a, b) => a.length - b.length)
  return Buffer.byteLength(shorter) <= pathMax ? shorter : null
}

/** Whether a service takes commands in this data folder, also one in another container, whose processes this one cannot see. */
export function isServing(dataDir: string): Promise<boolean> {
  const path = socketPath(dataDir)
  if (path === null) return Promise.resolve(false)
  return new Promise((answer) => {
    const socket = connect(path)
    const end = (serves: boolean) => {
      socket.destroy()
      answer(serves)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
