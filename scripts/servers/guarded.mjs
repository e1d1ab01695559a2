/** Starts servers of the tests under `guard.mjs`, which ends them with the test run. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const guard = fileURLToPath(new URL('guard.mjs', import.meta.url))

/** A server that is not ready after this time is given up. */
const startMilliseconds = 30_000

/** Returns a new folder that only this user can read. */
export const temporaryFolder = (name) => mkdtempSync(join(tmpdir(), `beak-${name}-`))

function readLog(folder) {
  try {
    return readFileSync(join(folder, 'server.log'), 'utf8').trim().split('\n').slice(-5).join('\n')
  } catch {
    return ''
  }
}

/**
 * Starts a server and waits until it is ready. Returns the function that stops it and deletes its folder.
 *
 * @param {{ folder: string, user: number | null, command: string[], isReady: () => Promise<boolean> }} server
 * @returns {Promise<() => Promise<void>>}
 */
export async function startGuarded({ folder, user, command, isReady }) {
  // In a process group of its own: Ctrl-C reaches the tests, and the server ends after them.
  const child = spawn(process.execPath, [guard, folder, String(user ?? ''), ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let log = ''
  void ended.then(() => child.stdin.destroy())
  const stop = async () => {
    child.ref()
    child.stdin.end()
    await ended
  }
  for (const end = Date.now() + startMilliseconds; Date.now() < end && child.exitCode === null; ) {
    if (await isReady()) {
      // The server does not keep a run alive whose tests have ended.
      child.unref()
      child.stdin.unref()
      return stop
    }
    log = readLog(folder) || log
    await wait(50)
  }
  await stop()
  throw new Error(`${command[0]} does not start${log && `:\n${log}`}`)
}
