/**
 * Reads and changes the settings of coding agents. A file that is not exactly what its program writes is left alone, with a sentence that says
 * why: a hook in a file that the program does not read would look installed.
 */
import { access, constants, lstat, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { applyEdits, type JSONPath, modify } from 'jsonc-parser'
import { replaceFile } from '../cli/files'
import type { EditedFile } from './state'

/** A settings file that is left alone. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Returns the text of a file, or null when there is none. Throws `SettingsError` for a file that must be left alone. */
export async function readSettings(path: string): Promise<string | null> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new SettingsError(`${path} cannot be read: ${error.message}`)
  })
  if (stats === null) return null
  const leave = (why: string) => new SettingsError(`${path} is left alone: ${why}`)
  if (stats.isSymbolicLink())
    throw leave('it is a link to another file. Name the file itself, or copy it here.')
  if (!stats.isFile()) throw leave('it is not a file.')
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch {
    throw leave('you may not write it.')
  }
  // The permission bits bind root too when a person has set them.
  if ((stats.mode & 0o200) === 0) throw leave('it is read-only.')
  const bytes = await readFile(path)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw leave('it is not UTF-8.')
  if (text.startsWith('\uFEFF'))
    throw leave('it begins with a byte order mark. Save it as UTF-8 without one.')
  return text
}

/** Returns the object in the text of a JSON file. Throws `SettingsError` for comments, trailing commas and all else that JSON has not. */
export function parseSettings(path: string, text: string | null): Record<string, unknown> {
  if (text === null || text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new SettingsError(
      `${path} is left alone: it is not plain JSON (comments and trailing commas are not). ${(error as Error).message}`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SettingsError(`${path} is left alone: it is not a JSON object.`)
  return value as Record<string, unknown>
}

/** Returns the text with a value at a place, and everything else as it was. `undefined` removes the place. An index of -1 appends. */
export function withValue(text: string, path: JSONPath, value: unknown): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  const isArrayInsertion = path.at(-1) === -1
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }))
}

const replaceKeepingMode = async (path: string, text: string) =>
  replaceFile(path, text, (await stat(path)).mode & 0o777)

/** Writes a planned change. Throws `SettingsError` when the file is no longer as it was planned. */
export async function applyEdit({ path, before, after }: EditedFile): Promise<void> {
  if ((await readSettings(path)) !== before)
    throw new SettingsError(`${path} was changed by another program in between. Run the command again.`)
  await mkdir(dirname(path), { recursive: true })
  if (before === null) await writeFile(path, after, { mode: 0o600, flag: 'wx' })
  else await replaceKeepingMode(path, after)
}

/**
 * Takes a change back: the file becomes what it was, byte for byte. When the file has changed since, only the own lines go.
 *
 * @param without returns the text without the own lines
 */
export async function undoEdit(
  { path, before, after }: EditedFile,
  without: (text: string) => string,
): Promise<'restored' | 'own lines removed' | 'gone'> {
  const now = await readSettings(path)
  if (now === null) return 'gone'
  if (now === after && before === null) await rm(path)
  else await replaceKeepingMode(path, now === after && before !== null ? before : without(now))
  return now === after ? 'restored' : 'own lines removed'
}

const linesOf = (text: string | null) => (text ? text.split(/(?<=\n)/) : [])

/** Returns a change as people read it: the lines that go and come, with two lines around them. */
export function diffText({ path, before, after }: EditedFile): string {
  const [old, next] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start++
  let end = 0
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const rows = [
    ...old.slice(Math.max(0, start - 2), start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...next.slice(start, next.length - end).map((line) => `+${line}`),
    ...next.slice(next.length - end, next.length - end + 2).map((line) => ` ${line}`),
  ]
  const title = before === null ? `${path} (new)` : path
  return [title, ...rows.map((row) => row.replace(/\r?\n$/, '')).filter((row) => row.trim() !== '')].join(
    '\n',
  )
}
