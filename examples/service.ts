/** A fresh Beak for an example: a process of its own with an empty database, which is deleted at the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const startMilliseconds = 60_000

export interface Service {
  url: string
  /** Returns the code of the newest mail to an address. Waits for the mail. */
  mailedCode(address: string): Promise<string>
  /** Ends the service and deletes its data. */
  stop(): Promise<void>
}

/** Starts the API without pages, so nothing has to be built. */
export async function startService(): Promise<Service> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'beak-example-'))
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], {
    cwd: root,
    env: {
      PATH,
      HOME,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      BEAK_ROLES: 'api,worker',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    await ended(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await until(startMilliseconds, () => isReady(child, url))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    stop,
    mailedCode: (address) => until(10_000, () => findCode(join(dataDir, 'outbox'), address)),
  }
}

async function isReady(child: ChildProcess, url: string): Promise<true | null> {
  if (child.exitCode !== null) throw new Error('The service did not start.')
  const answer = await fetch(`${url}/readyz`).catch(() => null)
  return answer?.ok ? true : null
}

/** Ends the process and waits until it has ended. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

/** Without a mail server, the service writes each mail into a file. */
async function findCode(folder: string, address: string): Promise<string | null> {
  const mails = names(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const newest = mails.filter(({ to }) => to === address).at(-1)
  return /\b\d{6}\b/.exec(newest?.text ?? '')?.[0] ?? null
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch {
    return []
  }
}

/** Repeats an attempt until it returns something. */
async function until<Result>(milliseconds: number, attempt: () => Promise<Result | null>): Promise<Result> {
  const end = performance.now() + milliseconds
  for (;;) {
    const result = await attempt()
    if (result !== null) return result
    if (performance.now() > end) throw new Error('The service did not answer in time.')
    await wait(100)
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
