/** Reads what a person names on the command line: a file, standard input, or a web address. Makes files for secrets. */

import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { exactJson } from '@beak/proofs/exact-numbers'
import { Exit, exitCodes, usageFault } from './exit'

const fetchTimeout = 15_000

/** Returns the text of a file, or of standard input for `-`. */
export async function readText(place: string): Promise<string> {
  if (place === '-') return text(process.stdin)
  try {
    return await readFile(place, 'utf8')
  } catch (error) {
    throw usageFault(`${place} cannot be read: ${(error as Error).message}`)
  }
}

/** Returns the JSON of a file, of standard input, or of a web address. */
export async function readJson(place: string): Promise<unknown> {
  const content = /^https?:\/\//.test(place) ? await fetchText(place) : await readText(place)
  return jsonOf(content, place)
}

/** Returns the JSON of a text that `name` names in the fault. A number that JSON does not keep is a fault. */
function jsonOf(content: string, name: string): unknown {
  try {
    return exactJson(content)
  } catch (error) {
    throw usageFault(error instanceof RangeError ? `${name}: ${error.message}` : `${name} is not JSON.`)
  }
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeout) })
    if (response.ok) return await response.text()
    throw new Error(`the answer has the status ${response.status}`)
  } catch (error) {
    throw new Exit(exitCodes.unreachable, `${url} cannot be read: ${(error as Error).message}`)
  }
}

/** Replaces a file in one step, so that a crash leaves the old one. Unless a mode is given, only the user can read it. */
export async function replaceFile(path: string, content: string, mode = 0o600): Promise<void> {
  const next = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(next, content, { mode: 0o600, flag: 'wx' })
  await chmod(next, mode)
  await rename(next, path)
}

/**
 * Makes a file that only the user can read, and returns how to fill it. Made before the secret, so that a secret that is shown once is not
 * lost. Never replaces a file: it may hold the only copy of another key. `discard` removes the file again.
 */
export async function reserveSecrets(path: string) {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw usageFault(
      error.code === 'EEXIST' ? `${path} exists already.` : `${path} cannot be written: ${error.message}`,
    )
  })
  return {
    async fill(variables: Record<string, string>): Promise<void> {
      await file.writeFile(
        Object.entries(variables)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      )
      await file.close()
    },
    async discard(): Promise<void> {
      await file.close()
      await rm(path)
    },
  }
}

/** Reads params from the command line. */

/** Returns the params of `--params <file>` and `--param name=text`. Undefined when neither is given. */
export async function readParams(
  file: string | undefined,
  named: string[],
): Promise<Record<string, unknown> | undefined> {
  if (file === undefined && named.length === 0) return undefined
  const read = file === undefined ? {} : await readJson(file)
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw usageFault('--params must be a JSON object.')
  return { ...read, ...pairsOf('param', 'text', named) }
}

/** Returns the names and values of an option `--name name=value`. */
export function pairsOf(option: string, value: string, given: string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw usageFault(`--${option} must be name=${value}, not "${text}".`)
    return [text.slice(0, at), text.slice(at + 1)] as const
  })
  return Object.fromEntries(pairs)
}
