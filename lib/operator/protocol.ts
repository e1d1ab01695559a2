/**
 * What travels through the operator's socket: JSON, one object a line. The command line sends one request. The server sends the lines
 * of the output as the command prints them, and last the exit code.
 */
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { config } from '@/lib/kernel/config'
import { sha256Hex } from '@/lib/kernel/secrets'

export const Request = z.strictObject({
  command: z.string().max(100),
  args: z.array(z.string().max(10_000)).max(100),
  /** Digest of the secrets that the command line has: see `secretsDigest`. */
  secrets: z.string().max(100),
})
export type Request = z.infer<typeof Request>

export const Message = z.union([
  z.strictObject({ out: z.string() }),
  z.strictObject({ err: z.string() }),
  z.strictObject({ exit: z.number().int() }),
])
export type Message = z.infer<typeof Message>

/** Characters of a line. A longer one is not from our command line. */
const lineMax = 2_000_000

export function formatLine(value: Request | Message): string {
  return `${JSON.stringify(value)}\n`
}

/** Returns a function that takes the text as it arrives and returns the lines that are complete. Throws when a line is too long. */
export function lineReader(): (chunk: string) => string[] {
  let rest = ''
  return (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineMax) throw new Error('A line of the operator’s socket is too long.')
    return lines
  }
}

/** Bytes of a socket's path that every system accepts (macOS has room for 103). Longer paths are cut off silently by some versions. */
const pathMax = 100

/**
 * Returns the path of the socket of a data folder, relative to the working directory where that is shorter, or null where there can
 * be no socket: the path is too long, or the system is Windows, where file permissions do not protect a pipe.
 */
export function socketPath(dataDir: string): string | null {
  if (process.platform === 'win32') return null
  const path = resolve(/* turbopackIgnore: true */ dataDir, 'operator.sock')
  const [shorter = path] = [path, relative(process.cwd(), path)].sort((a, b) => a.length - b.length)
  return Buffer.byteLength(shorter) <= pathMax ? shorter : null
}

/** Returns a digest of this process's secrets, which shows whether another process has the same ones. */
export function secretsDigest(): string {
  const { secret, previousSecret } = config()
  const texts = [secret, previousSecret ?? Buffer.alloc(0)].map((bytes) => Buffer.from(bytes).toString('hex'))
  return sha256Hex(`beak/operator ${texts.join(' ')}`)
}
