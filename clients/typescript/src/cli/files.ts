/** Reads what a person names on the command line: a file, standard input, or a web address. Writes files with secrets. */
import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
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
  try {
    return JSON.parse(content)
  } catch {
    throw usageFault(`${place} is not JSON.`)
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

/** Writes a file that only the user can read. Never replaces a file: it may hold the only copy of another key. */
export async function writeSecrets(path: string, variables: Record<string, string>): Promise<void> {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  try {
    await writeFile(path, lines.join(''), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw usageFault(
      isThere ? `${path} exists already.` : `${path} cannot be written: ${(error as Error).message}`,
    )
  }
}
