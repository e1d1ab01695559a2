/** The rules of the hook: which commands need a permission, and whose. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

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
    action: z.string(),
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
  /** Seconds to wait for the decision. The timeout of the hook must be 60 seconds longer: after it, the command would run. */
  wait: z.number().min(0).default(540),
  /** The first rule that matches decides. */
  rules: z.array(Rule),
})

export type Rule = z.infer<typeof Rule>
export type Rules = z.infer<typeof Rules>
/** The rules as they are written, in a file or in a program. */
export type RulesInput = z.input<typeof Rules>

/** Reads the rules. Throws `Error` with a sentence for people. */
export async function readRules(path: string): Promise<Rules> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read.`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${path} is not JSON.`)
  }
  return parseRules(value, path)
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

/** Returns the first rule that concerns a call, or null. */
export function findRule({ rules }: Rules, call: ToolCall): Rule | null {
  const command = commandOf(call)
  const matches = (rule: Rule) =>
    (rule.tool === undefined || rule.tool.test(call.tool)) &&
    (rule.command === undefined || (command !== null && rule.command.test(command)))
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
