/**
 * The file with the sessions of this computer: `credentials.json` in the configuration folder of the user (XDG base directories). Only
 * the user may read it. A session is sent only to the service that it was stored for.
 */
import { mkdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Exit, exitCodes } from './exit'
import { replaceFile } from './files'

interface StoredSession {
  token: string
  expires_at: string
  duckling_id: string
  display_name: string
}

export interface Credentials {
  /** The service of the last sign-in, which is used when the command line names none. */
  current: string | null
  /** Sessions by the address of the service. */
  services: Record<string, StoredSession>
}

export function credentialsPath(env: NodeJS.ProcessEnv): string {
  const base =
    env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homedir(), '.config')
  return join(base, 'beak', 'credentials.json')
}

/** Returns what is stored. Throws `Exit` for a file that others may read, or that is not ours. */
export async function readCredentials(path: string): Promise<Credentials> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Exit(exitCodes.usage, `Others can read ${path}.`, `Run: chmod 600 '${path}'`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, services: {} }
    throw error
  }
  try {
    const { current = null, services = {} } = JSON.parse(text) as Partial<Credentials>
    return { current, services }
  } catch {
    throw new Exit(exitCodes.usage, `${path} is not valid JSON.`, 'Delete the file and sign in again.')
  }
}

/** Replaces the file in one step, so that a crash leaves the old one. */
export async function writeCredentials(path: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(credentials, null, 2)}\n`)
}
