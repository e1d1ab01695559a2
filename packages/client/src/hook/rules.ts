/** A call of a tool, as coding agents describe it. */

import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { freeTextAction, isFreeText } from '@beak/decision/free-text'
import { z } from 'zod'

/** A call of a tool that the coding agent is about to make. */
export interface ToolCall {
  tool: string
  input: Record<string, unknown>
  cwd: string
}

/** Returns the command line that a call runs, or null for tools that run none. Some tools have its words in a list. */
function commandOf({ input: { command } }: ToolCall): string | null {
  const words = z.union([z.string(), z.array(z.string())]).safeParse(command).data ?? null
  return Array.isArray(words) ? words.join(' ') : words
}

/** The ways to write one command line that a shell reads alike, as far as patterns should not miss them. */

/**
 * Returns a text as it is, with single blanks and without continued lines, and without quotes and escapes as well. A pattern that matches one of them
 * concerns the command.
 */
function spellingsOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, '')
  const blank = joined.replace(/\$\{?IFS\}?/g, ' ').replace(/\s+/g, ' ')
  return [...new Set([text, blank, blank.replace(/\$?["']|\\(?=\S)/g, '')])]
}

/**
 * Finds calls that can switch the hook off: those that write the settings of the coding agents, or name the setting. A coding agent reads such a
 * file at its next start, also from the project. This finds ordinary calls. A script that hides its words is not found.
 */

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

/** Files from which a coding agent reads its hooks, and the files of the hook itself. */
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
function changesSettings(call: ToolCall, rulesPath: string | undefined): boolean {
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

/** The rules of the hook: which commands need a permission, and whose. */

const Pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a regular expression' })
    return z.NEVER
  }
})

const Rule = z
  .strictObject({
    /** Regular expression for the name of the tool, such as `^Bash$`. Default: any tool. */
    tool: Pattern.optional(),
    /** Regular expression for the command line. A rule with it concerns only tools that run commands. */
    command: Pattern.optional(),
    action: z.string().refine((action) => !isFreeText(action), {
      message: `must not be ${freeTextAction}: an approval of it is an answer, and gives no permission`,
    }),
    /** The duckling to ask. Default: `target` of the file. */
    target: z.string().optional(),
    scope: z.enum(['limited', 'timed', 'standing']).optional(),
    /** Seconds. */
    grant_expires_in: z.number().optional(),
    expires_in: z.number().optional(),
    message: z.string().optional(),
    /** `input`: exactly this command or input. `rule`: everything in this folder that the rule matches. */
    covers: z.enum(['input', 'rule']).default('input'),
  })
  .refine(({ tool, command }) => tool !== undefined || command !== undefined, {
    message: 'needs a tool or a command',
  })

const Rules = z.strictObject({
  /** The duckling to ask. */
  target: z.string(),
  /** Seconds to wait for the decision. The hook waits no longer than the coding agent waits for the hook. */
  wait: z.number().min(0).default(540),
  /** The first rule that matches decides. */
  rules: z.array(Rule),
})

export type Rule = z.infer<typeof Rule>
export interface Rules extends z.infer<typeof Rules> {
  /** The file that they are from. */
  path?: string
}
/** The rules as they are written, in a file or in a program. */
export type RulesInput = z.input<typeof Rules>

/** Reads the rules. Throws `Error` with a sentence for people. */
export async function readRules(path: string): Promise<Rules> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read.`)
  })
  let value: unknown
  try {
    // Some editors write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error(`${path} is not JSON.`)
  }
  return { ...parseRules(value, path), path }
}

/** Returns checked rules. Throws `Error` with a sentence for people, which begins with the name of the rules. */
export function parseRules(value: unknown, name: string): Rules {
  const { success, data, error } = Rules.safeParse(value)
  if (success) return data
  const faults = error.issues.map(
    ({ path: place, message }) => `${place.join('.') || 'The file'}: ${message}`,
  )
  throw new Error(`${name} has invalid rules. ${faults.join('; ')}.`)
}

/** Asks about a call that can switch the hook off, whatever the rules say. */
const settingsRule: Rule = {
  action: 'change:agent-settings',
  message: 'This can switch off the hook that asks you before commands.',
  covers: 'input',
}

/** Returns the first rule that concerns a call, or null. A command concerns a rule in each way in which a shell reads it alike. */
export function findRule({ rules, path }: Rules, call: ToolCall): Rule | null {
  if (changesSettings(call, path)) return settingsRule
  const command = commandOf(call)
  const spellings = command === null ? [] : spellingsOf(command)
  const matches = ({ tool, command: pattern }: Rule) =>
    (tool === undefined || tool.test(call.tool)) &&
    (pattern === undefined || spellings.some((spelling) => pattern.test(spelling)))
  return rules.find(matches) ?? null
}

/** The tools of the coding agents that run a command line. They describe the same command in other words each time. */
const shells: ReadonlySet<string> = new Set(['Bash', 'shell', 'exec_command'])

/** What the shells say about a command for people, and what does not change what it does. */
const descriptions: ReadonlySet<string> = new Set(['description', 'justification'])

/**
 * Returns what the permission covers: the whole input, because any part of it may decide what the tool does (`environment`, `force`, whether
 * it runs in the sandbox), without what a shell says about its command. The folder belongs to it: the same command does something else
 * elsewhere.
 */
export function paramsOf(rule: Rule, call: ToolCall): Record<string, unknown> {
  const { tool, input, cwd } = call
  if (rule.covers === 'rule')
    return { tools_matching: rule.tool?.source, commands_matching: rule.command?.source, cwd }
  if (commandOf(call) === null) return { tool, input, cwd }
  const { command, ...others } = input
  const rest = Object.entries(others).filter(([name]) => !(shells.has(tool) && descriptions.has(name)))
  return { tool, command, cwd, ...(rest.length > 0 ? { input: Object.fromEntries(rest) } : {}) }
}
