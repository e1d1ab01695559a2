/**
 * The address of the malicious host. Passes requests on to the real service, and answers itself or adds a script to the pages when a lie
 * needs that.
 */

import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeySet } from '@beak/proofs/keys'
import { formatVerifierKey, type VerifierKey } from '@beak/proofs/log/verifier-key'
import { emptyDataDir, eventually, type Server, startServer } from '@/e2e/server'
import { atEnd } from '@/lab/bench/cleanup'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { cosign } from '@/lib/domain/tlog/cosign'
import { logOrigin, logVerifierKey } from '@/lib/domain/tlog/origin'
import type { PublishedCheckpoint } from '@/lib/domain/tlog/published'
import { copyTemplate, createTemplate } from '@/lib/fixtures/postgres'
import { appendNow, newestCheckpoint } from '@/lib/fixtures/tlog'
import { signersOf, startWitness } from '@/lib/fixtures/witness-process'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { prepareKeys, publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config, parseConfig } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { startPostgres } from '@/scripts/servers/postgres.mjs'

/** Returns the body to answer with: JSON, a text, or bytes. */
type Answer = (body: string) => unknown

interface Front {
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
async function startFront(): Promise<Front> {
  const answers = new Map<string, Answer>()
  let port = 0
  let script: string | null = null
  const server = createServer(async (incoming, outgoing) => {
    const answer = answers.get(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    if (answer === undefined) passOn(incoming, outgoing, port, () => script)
    else send(outgoing, answer(await bodyOf(incoming)))
  })
  // A connection that the shops keep is never closed under their next request.
  server.keepAliveTimeout = 0
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
  // A connection of its own: the service may just be closing one that was used before.
  const passed = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (answer) => {
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

/** Starts everything: PostgreSQL, an honest witness, the built service, and in front of it the malicious host with all keys of the service. */

export interface Host {
  /** The address of the host, which the service has in everything that it signs. */
  url: string
  /** For the helpers of the end-to-end tests. */
  server: Server
  front: Front
  jwks: KeySet
  /** Verifier keys of the log and of the witness. */
  vkey: string
  witness: string
  witnessKey: VerifierKey
  witnessUrl: string
}

/** Makes this process an instance of the service: it has the database and the secret, so all keys. */
function becomeTheHost(env: Record<string, string>): void {
  forget('config')
  singleton('config', () => parseConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...env }))
}

/** Starts the host. Everything ends with `runWithCleanup`. */
export async function startHost(): Promise<Host> {
  const front = await startFront()
  atEnd(front.close)
  const postgres = await startPostgres()
  atEnd(postgres.stop)
  const dataDir = emptyDataDir()
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = {
    BASE_URL: front.url,
    BEAK_SECRET: 'a secret that the malicious host knows',
    DATABASE_URL: await copyTemplate(postgres.url, await createTemplate(postgres.url)),
  }
  becomeTheHost({ ...env, DATA_DIR: dataDir })
  await openDatabase()
  atEnd(closeDatabase)
  await prepareKeys()
  const log = logVerifierKey(await logOrigin(), (await logKey(readClock())).x)
  const witness = await startWitness({ logs: [log], name: 'witness.example/w1' })
  process.once('exit', () => witness.child.kill('SIGKILL'))
  atEnd(async () => {
    await witness.stop()
    rmSync(witness.folder, { recursive: true, force: true })
  })
  const witnessed = { ...env, TLOG_WITNESSES: `${witness.vkey}@${witness.url}` }
  becomeTheHost({ ...witnessed, DATA_DIR: dataDir })
  const server = await startServer({ dataDir, env: { ...witnessed, LOG_LEVEL: 'error' } })
  atEnd(async () => void (await server.stop()))
  front.passTo(server.port)
  return {
    url: front.url,
    server: { url: front.url, port: server.port, dataDir, output: server.output },
    front,
    jwks: { keys: publicKeys() } as KeySet,
    vkey: formatVerifierKey(log),
    witness: witness.vkey,
    witnessKey: witness.key,
    witnessUrl: witness.url,
  }
}

/** Logs everything that is pending, and waits until the witness has cosigned it. */
export async function logNow({ witnessKey }: Host): Promise<PublishedCheckpoint> {
  await appendNow()
  return eventually(async () => {
    // The service asks its witness too, and only one of both may ask at a time.
    for (const one of config().tlogWitnesses) await cosign(one, readClock())
    const newest = await newestCheckpoint()
    return (await signersOf(newest.note, [witnessKey])).length > 0 ? newest : null
  }, 60)
}
