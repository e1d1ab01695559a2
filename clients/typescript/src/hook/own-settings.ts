/**
 * Finds calls that can switch the hook off: those that write the settings of the coding agents, or name the setting. A coding agent reads such a
 * file at its next start, also from the project. This finds ordinary calls. A script that hides its words is not found.
 */
import { basename, dirname } from 'node:path'
import { commandOf, type ToolCall } from './call'
import { spellingsOf } from './spellings'

/** Tools of the coding agents that only read. */
const readers: ReadonlySet<string> = new Set([
  'Read',
  'Grep',
  'Glob',
  'LS',
  'NotebookRead',
  'WebFetch',
  'WebSearch',
  'ToolSearch',
  'view_image',
  'web_search',
])

/** Files from which a coding agent reads its hooks, and those of the hook itself. */
const files: readonly RegExp[] = [
  /\.claude\/+(?:\.\/+)*(?:settings|hooks)/,
  /\.codex\/+(?:\.\/+)*(?:\S*config\.toml|hooks|requirements)/,
  /\bmanaged[-_](?:settings|config)\b/,
  /\/etc\/(?:claude-code|codex)\b/,
  /\/beak\/+(?:hook|credentials)\.json/,
]

/** Words of settings and options that switch hooks off. */
const words: readonly RegExp[] = [
  /disableallhooks/,
  /\bhooks["'\]]*\s*[:=]\s*["']?false/,
  /--disable[\s=]+["']?hooks/,
  /--dangerously-bypass-hook-trust/,
]

/** What only a command line can do: replace the whole folder, name another one, or start an agent without hooks. */
const commands: readonly RegExp[] = [
  /\.(?:claude|codex)(?:\/+\S*[*?[{]|\/*(?=$|[\s"'`;&|()<>]))/,
  /\b(?:claude_config_dir|codex_home|claude_code_simple)\b/,
  /\bclaude\b.*\s--bare\b/,
]

/** The files again, by their names alone: for a call inside of the folder. */
const insideFolder = /\.(?:claude|codex)(?:\/|$)/
const fileNames = /\b(?:settings(?:\.local)?\.json|config\.toml|hooks\.json|requirements\.toml)\b/

/** Yields all texts in a value, also names of members. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      yield name
      yield* textsIn(inner)
    }
}

/**
 * Tells whether a call may write settings that start the hook.
 *
 * @param rulesPath the file with the rules, which belongs to these settings
 */
export function changesSettings(call: ToolCall, rulesPath: string | undefined): boolean {
  if (readers.has(call.tool)) return false
  const command = commandOf(call)
  const texts = [...textsIn(call.input), ...(command === null ? [] : [command])]
  const isInside = insideFolder.test(slashed(call.cwd))
  const rulesName = rulesPath === undefined ? null : rulesNameFor(call, rulesPath)
  const patterns = [...files, ...words, ...(command === null ? [] : commands)]
  return texts
    .flatMap(spellingsOf)
    .map(slashed)
    .some(
      (text) =>
        patterns.some((pattern) => pattern.test(text)) ||
        (isInside && fileNames.test(text)) ||
        (rulesName !== null && text.includes(rulesName)),
    )
}

/** Returns how a call names the file with the rules: with its folder, or by its name alone inside of the folder. */
function rulesNameFor({ cwd }: ToolCall, path: string): string {
  const [folder, name] = [dirname(path), basename(path)]
  return slashed(cwd) === slashed(folder) ? slashed(name) : slashed(`${basename(folder)}/${name}`)
}

const slashed = (text: string) => text.replace(/\\+/g, '/').toLowerCase()
