/**
 * The address of the malicious host. Passes requests on to the real service, and answers itself or adds a script to the pages when a lie
 * needs that.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Returns the body to answer with: JSON, a text, or bytes. */
type Answer = (body: string) => unknown

export interface Front {
  url: string
  /** The port of the real service. */
  passTo(port: number): void
  /** Answers a line such as `POST /beak/peck/consume` with this from now on. Returns the function that ends it. */
  answer(line: string, answer: Answer): () => void
  /** Adds this script to each page from now on. Null: to none. */
  addScript(script: string | null): void
  close(): Promise<void>
}

/** Starts the front on a free port of this machine. */
export async function startFront(): Promise<Front> {
  const answers = new Map<string, Answer>()
  let port = 0
  let script: string | null = null
  const server = createServer(async (incoming, outgoing) => {
    const answer = answers.get(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    if (answer === undefined) passOn(incoming, outgoing, port, () => script)
    else send(outgoing, answer(await bodyOf(incoming)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    passTo: (given) => {
      port = given
    },
    answer: (line, answer) => {
      answers.set(line, answer)
      return () => void answers.delete(line)
    },
    addScript: (given) => {
      script = given
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function send(outgoing: ServerResponse, value: unknown): void {
  if (value instanceof Uint8Array || typeof value === 'string') {
    outgoing.writeHead(200, { 'Content-Type': 'text/plain' }).end(value)
    return
  }
  outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  scriptNow: () => string | null,
): void {
  // A script can be added only to a page that is not compressed.
  const { 'accept-encoding': _, ...headers } = incoming.headers
  const { method, url: path } = incoming
  const passed = request({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
    const script = scriptNow()
    const isPage = answer.headers['content-type']?.startsWith('text/html') === true
    if (script === null || !isPage) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      return
    }
    const { 'content-length': _length, ...rest } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, rest)
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(rest['content-security-policy'])) ?? []
    outgoing.end(withScript(await bodyOf(answer), script, nonce))
  })
  passed.on('error', () => outgoing.destroy())
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
}

/** The host chooses the policy of its pages, so its script has their nonce. */
const withScript = (page: string, script: string, nonce: string) =>
  page.replace('<head>', () => `<head><script nonce="${nonce}">${script}</script>`)
