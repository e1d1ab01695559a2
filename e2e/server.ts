/** Starts the built server as its users do, as a process of its own on a free port, in a data folder of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@/lib/fixtures/free-port'

export interface RunningServer {
  url: string
  dataDir: string
  child: ChildProcess
  /** Everything it has printed. */
  output(): string
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'beak-e2e-'))
}

const running = new Set<ChildProcess>()

/** Kills whatever a test has left running: for `afterEach`, so that a failed test leaves no process behind. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

const generous = Object.fromEntries(
  ['SIGNUP', 'SIGNIN', 'OTP', 'ANONYMOUS', 'AUTHENTICATED', 'NEWSLETTER', 'SUPPORT'].map((group) => [
    `LIMIT_${group}`,
    '100000/100000',
  ]),
)

export interface StartOptions {
  env?: Record<string, string>
  dataDir?: string
  /** Tokens name their issuer, so a server that is to know them again needs its port again. */
  port?: number
  /** What to run instead of our own server. */
  command?: string[]
  ready?: RegExp
}

/** Starts it and waits until it says that it runs; throws with its output when it ends before. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort())
  const dataDir = options.dataDir ?? newDataDir()
  const [command = process.execPath, ...args] = options.command ?? [process.execPath, 'build/server.mjs']
  // Vitest sets variables of its own that would be ours.
  const { VITEST: _, NODE_ENV: __, BASE_URL: ___, DATABASE_URL: ____, ...inherited } = process.env
  const child = spawn(command, args, {
    env: {
      ...inherited,
      ...generous,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      NEXT_TELEMETRY_DISABLED: '1',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if ((options.ready ?? /Beak is running/).test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then((code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  return {
    url: `http://localhost:${port}`,
    dataDir,
    child,
    output: () => output,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they are about
  body: any
  headers: Headers
}

/** Calls a running server with a JSON body. */
export async function send(
  server: { url: string },
  line: string,
  options: { body?: unknown; token?: string; key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(options.token ? { Authorization: `Bearer ${options.token}` } : {}),
      ...(options.key ? { 'X-Beak-Key': options.key } : {}),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

export interface Mail {
  kind: string
  to: string
  subject: string | null
  text: string
}

/** The address that opens the outbox for one browser: the one the server printed last. */
export function outboxAddressOf(server: RunningServer): string {
  const [address] =
    server
      .output()
      .match(/http:\S+\?outbox=\w+/g)
      ?.slice(-1) ?? []
  if (address === undefined) throw new Error(`no address of an outbox in:\n${server.output()}`)
  return address
}

/** Opens that address and returns the cookie that it sets, as a request sends it. */
export async function outboxCookieOf(server: RunningServer): Promise<string> {
  const { headers } = await fetch(outboxAddressOf(server), { redirect: 'manual' })
  const [cookie = ''] = headers.getSetCookie()[0]?.split(';') ?? []
  return cookie
}

/** Every message in a server's outbox folder, oldest first. */
export function outboxOf(server: { dataDir: string }): Mail[] {
  const folder = join(server.dataDir, 'outbox')
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Mail)
  } catch {
    return []
  }
}

/** Asks `look` until it finds something; throws after ten seconds. */
export async function eventually<T>(
  look: () => T | null | undefined | Promise<T | null | undefined>,
): Promise<T> {
  const end = Date.now() + 10_000
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    if (Date.now() > end) throw new Error('it did not happen within ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** The newest code in a server's outbox for an address. */
export function codeIn(server: { dataDir: string }, address: string): Promise<string> {
  return eventually(() =>
    outboxOf(server)
      .filter((mail) => mail.to === address)
      .map((mail) => /\b\d{6}\b/.exec(mail.text)?.[0])
      .findLast((code) => code !== undefined),
  )
}

export interface Person {
  id: string
  email: string
  token: string
}

/** Somebody who has signed up over the API and, unless told otherwise, verified their address. */
export async function aPerson(
  server: RunningServer,
  name: string,
  options: { verified?: boolean } = {},
): Promise<Person> {
  // An address of its own for each call, so that a test can be tried again.
  const email = `${name.toLowerCase()}-${randomBytes(4).toString('hex')}@pond.example`
  const { body } = await send(server, 'POST /beak/signup', { body: { email, display_name: name } })
  const person = { id: body.duckling_id, email, token: body.token }
  if (options.verified === false) return person
  const otp = await codeIn(server, email)
  const verified = await send(server, 'POST /beak/verify-email', { token: person.token, body: { otp } })
  if (verified.status !== 200) throw new Error(JSON.stringify(verified.body))
  return person
}
