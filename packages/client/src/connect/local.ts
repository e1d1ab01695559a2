/** Starts a service on this computer from a copy of its source. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSource } from '../cli/commands/dev'
import { usageFault } from '../cli/exit'
import type { Session } from '../cli/session'

const url = 'http://localhost:3000'
const limitMs = 300_000

async function isRunning(): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  return response?.ok === true
}

/** Returns the address of the service on this computer. Starts it when it does not run, and leaves it running. */
export async function startLocal({ output, signal, env }: Session): Promise<string> {
  if (await isRunning()) return url
  const root = findSource(process.cwd())
  if (root === null)
    throw usageFault(
      'The source of Beak is not here, and no service runs at http://localhost:3000.',
      'Start one as its README says ("npm start"), or run this command in its folder.',
    )
  output.note('Starting Beak on this computer. The first start takes some minutes.')
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env,
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
  const end = performance.now() + limitMs
  while (performance.now() < end) {
    if (await isRunning()) return url
    if (child.exitCode !== null)
      throw usageFault(`Beak did not start in ${root}.`, 'Run "npm start" there to see why.')
    await sleep(1_000, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  throw usageFault(`Beak did not answer at ${url} in time.`, `Run "npm start" in ${root} to see why.`)
}
