/** Starts the built server as an operator does: as a separate process, on a free port, with its own data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyOfTemplate } from '@/lib/fixtures/data-folder'
import { freePort } from '@/scripts/servers/free-port.mjs'

export interface Server {
  url: string
  port: number
  dataDir: string
  /** Everything the server has printed. */
  output(): string
}

/** A server that the test has started, and may stop. */
export interface RunningServer extends Server {
  child: ChildProcess
  /** Sends the signal and waits until the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface StartOptions {
  env?: Record<string, string>
  dataDir?: string
  /** A server that must accept its tokens after a restart needs the same port, because tokens name their issuer. */
  port?: number
  /** What to run instead of our own server. */
  command?: string[]
  /** Where it runs. Default: here. */
  folder?: string
  /** What the process prints when it is ready. */
  ready?: RegExp
}

/** The limits have their own tests. Here they must not stop a test that sends many requests. */
const highLimits = Object.fromEntries(
  [
    'SIGNUP',
    'SIGNIN',
    'OTP',
    'ANONYMOUS',
    'AUTHENTICATED',
    'NEWSLETTER',
    'SUPPORT',
    'ASK',
    'INVITED',
    'STRANGERS',
    'CODE',
    'FIND',
    'PAGES',
    'IMAGES',
  ].map((group) => [`LIMIT_${group}`, '100000/100000']),
)

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Returns a new, empty data folder. The first start creates the database in it. */
export function emptyDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'beak-e2e-'))
}

/** Returns a new data folder with an empty, migrated database. */
export function newDataDir(): string {
  const template = process.env.E2E_TEMPLATE
  if (template === undefined) throw new Error('e2e/global-setup.ts has not run')
  return copyOfTemplate(template)
}

/** Returns the environment of the test runner, without variables that configure the service, and with `env`. */
export function serviceEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const {
    NODE_ENV: _,
    BASE_URL: _base,
    DATABASE_URL: _database,
    FORCE_COLOR: _color,
    DEBUG_COLORS: _colors,
    ...inherited
  } = process.env
  return { ...inherited, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...env }
}

/** Starts a server and waits until it is ready. Throws with its output when the process ends before. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { dataDir = newDataDir(), ready = /Beak is running/ } = options
  const port = options.port ?? (await freePort())
  const [command = process.execPath, ...args] = options.command ?? [process.execPath, 'build/server.mjs']
  const child = spawn(command, args, {
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    env: serviceEnv({ ...highLimits, PORT: String(port), DATA_DIR: dataDir, ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  void ended.then(() => running.delete(child))
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (ready.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then((code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  return {
    url: `http://localhost:${port}`,
    port,
    dataDir,
    child,
    output: () => output,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer
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

/** Calls `look` until it returns a value, and returns the value. Throws after that many seconds. */
export async function eventually<T>(
  look: () => T | null | undefined | Promise<T | null | undefined>,
  seconds = 10,
): Promise<T> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    if (Date.now() > end) throw new Error(`it did not happen within ${seconds} seconds`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
