/** What is connected on this computer, and the credentials that can only ask. Both files belong to the user alone. */
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../cli/files'
import type { Layout, ToolName } from './layout'

/** A settings file that was changed. */
export interface EditedFile {
  path: string
  /** The text before the change. Null: there was no file. */
  before: string | null
  /** The text that was written. */
  after: string
}

export const modes = ['watch', 'guard', 'strict'] as const
export type Mode = (typeof modes)[number]
export const outages = ['refuse', 'ask-in-terminal'] as const

export interface Connected {
  url: string
  /** The person whom the agent asks. */
  target: string
  agent_id: string
  agent_name: string
  mode: Mode
  on_outage: (typeof outages)[number]
  /** Absolute path of the coding agent. */
  executable: string
  files: EditedFile[]
  /** How the coding agent names the hooks that it was told to trust. */
  trusted?: string[]
  /** Milliseconds since 1970, by the clock of this computer. */
  connected_at: number
}

export interface State {
  /** The program of the hooks. */
  program: string
  tools: Partial<Record<ToolName, Connected>>
}

/** A token that is renewed, or the key of an agent. */
export type StoredCredential =
  | { url: string; key: string }
  | {
      url: string
      client_id: string
      refresh_token: string
      access_token: string
      /** Milliseconds since 1970, by the clock of this computer. */
      expires_at: number
    }
export type Credentials = Partial<Record<ToolName, StoredCredential>>

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the JSON of a file of our own, or null when there is no such file. Throws `Error` for what is not an object. The rest is not checked, so
 * that a hook need not load a library for that: what is missing is a fault, which refuses the call.
 */
async function read<Content extends object>(path: string): Promise<Content | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  if (!isObject(value)) throw new Error(`${path} was changed by another program. Run "beak connect" again.`)
  return value as Content
}

async function write(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

export const readState = async ({ state }: Layout): Promise<State> => {
  const found = await read<State>(state)
  if (found !== null && !isObject(found.tools))
    throw new Error(`${state} is broken. Run "beak connect" again.`)
  return found ?? { program: '', tools: {} }
}
export const writeState = (layout: Layout, state: State) => write(layout.state, state)

/** Returns the credentials. Throws `Error` when others can read them. */
export async function readCredentials({ credentials }: Layout): Promise<Credentials> {
  const found = (await read<Credentials>(credentials)) ?? {}
  const mode = await stat(credentials).then(
    (stats) => stats.mode,
    () => 0,
  )
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Error(`Others can read ${credentials}. Run: chmod 600 '${credentials}'`)
  return found
}

/** Stores the credential of a tool, or removes it. */
export async function storeCredential(
  layout: Layout,
  tool: ToolName,
  credential: StoredCredential | null,
): Promise<void> {
  const { [tool]: _, ...others } = await readCredentials(layout)
  await write(layout.credentials, credential === null ? others : { ...others, [tool]: credential })
}

export const readAnswered = async ({ answered }: Layout): Promise<Record<string, string>> =>
  (await read<Record<string, string>>(answered).catch(() => null)) ?? {}

/** Adds digests of build files that the person answered about. */
export async function addAnswered(layout: Layout, digests: Record<string, string>): Promise<void> {
  if (Object.keys(digests).length === 0) return
  await write(layout.answered, { ...(await readAnswered(layout)), ...digests })
}
