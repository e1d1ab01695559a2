/** Stands before a running server and changes its answers: what a verifier sees when somebody tampers with the service. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Returns the body to send instead of what the service answered to a path. */
export type Tampering = (path: string, body: Buffer) => Buffer

export interface TamperingProxy {
  url: string
  /** What to change from now on. Default: nothing. */
  tamper(tampering: Tampering): void
  /** How many answers were changed since then. */
  changes(): number
  close(): void
}

export async function startProxy(target: string): Promise<TamperingProxy> {
  let tampering: Tampering = (_, body) => body
  let changes = 0
  const server: Server = createServer(async ({ url = '/', headers }, response) => {
    const { authorization } = headers
    const answer = await fetch(`${target}${url}`, { headers: authorization ? { authorization } : {} })
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' })
    const sent = tampering(url, body)
    if (!sent.equals(body)) changes += 1
    response.end(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tamper: (next) => {
      tampering = next
      changes = 0
    },
    changes: () => changes,
    close: () => server.close(),
  }
}

/** Changes one bit of the bytes in the middle of a path's answer. */
export function flipBit(of: RegExp): Tampering {
  return (path, body) => {
    if (!of.test(path)) return body
    const changed = Buffer.from(body)
    const place = Math.floor(changed.length / 2)
    changed[place] = (changed[place] ?? 0) ^ 1
    return changed
  }
}

/** Replaces a part of the text of a path's answer. */
export function replaceText(of: RegExp, from: string | RegExp, to: string): Tampering {
  return (path, body) => (of.test(path) ? Buffer.from(body.toString().replace(from, to)) : body)
}

/** Changes the signature of the signed token in a path's answer. What is before it stays, so that only the signature is wrong. */
export function breakSignature(of: RegExp): Tampering {
  return replaceText(of, /\.[\w-]{10}([\w-]{76})(?![\w-])/, `.${'A'.repeat(10)}$1`)
}
