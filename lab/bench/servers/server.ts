/** Starts a server as a process of its own and waits until it answers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../cleanup'

export const root = join(import.meta.dirname, '..', '..', '..')
/** The built server of a checkout: what its start script runs at its end. */
export const serverFile = (folder: string) => join(folder, 'build', 'server.mjs')

/** Logs, reference servers and profiles. The folder is not in the repository. */
export const workFolder = join(root, 'build', 'bench')

export interface Server {
  name: string
  origin: string
  pid: number
  /** The database of the server, when PostgreSQL serves it. */
  databaseUrl: string | null
  /** Where the codes of its mails are, see `openCodes`. */
  codes: string
  stop(): Promise<void>
}

export interface ServerOptions {
  name: string
  port: number
  args: string[]
  cwd: string
  env: Record<string, string>
  /** A path that answers when the server is ready. */
  ready: string
  databaseUrl?: string | null
  codes?: string
  /** The program of Node.js. Default: that of the benchmark. */
  node?: string
}

const startSeconds = 60

async function waitUntilReady(url: string, child: ChildProcess): Promise<boolean> {
  const end = Date.now() + startSeconds * 1000
  while (Date.now() < end && child.exitCode === null) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

/** Starts a Node.js program. The server stops at the end of the benchmark, or with `stop`. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { name, port, args, cwd, env, ready, node = process.execPath } = options
  mkdirSync(workFolder, { recursive: true })
  const logFile = join(workFolder, `${name}.log`)
  const log = openSync(logFile, 'w')
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(node, args, {
    cwd,
    stdio: ['ignore', log, log],
    env: { PATH, HOME, NODE_ENV: 'production', PORT: String(port), ...env },
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    // A server that does not stop by itself is killed.
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(timer)
  }
  atEnd(stop)
  const origin = `http://localhost:${port}`
  if (!(await waitUntilReady(`${origin}${ready}`, child)) || child.pid === undefined)
    throw new Error(`${name} did not start. Its output is in ${logFile}`)
  const { databaseUrl = null, codes = '' } = options
  return { name, origin, pid: child.pid, databaseUrl, codes, stop }
}
