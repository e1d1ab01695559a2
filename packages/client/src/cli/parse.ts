/** Reads a command line: finds the command, checks options and arguments. */
import { parseArgs } from 'node:util'
import { type Command, commonOptions, type OptionInfo } from './command'
import { usageFault } from './exit'

export interface Parsed {
  options: Record<string, string | boolean | string[] | undefined>
  args: string[]
}

/** Returns the command that the first words name, and the words after it. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: string[] } | null {
  const found = commands
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .sort((left, right) => right.name.length - left.name.length)[0]
  return found ? { command: found, rest: words.slice(found.name.split(' ').length) } : null
}

export const optionsOf = (command: Command): Record<string, OptionInfo> => ({
  ...command.options,
  ...commonOptions,
})

/** Throws `Exit` for an unknown option, a missing value, or a wrong number of arguments. */
export function parse(command: Command, words: string[]): Parsed {
  const infos = optionsOf(command)
  const options = Object.fromEntries(
    Object.entries(infos).map(([name, { type, multiple }]) => [name, { type, multiple: multiple ?? false }]),
  )
  const { values, positionals } = parseWords(command, words, options)
  if (values.help === true) return { options: values, args: positionals }
  for (const [name, { choices }] of Object.entries(infos))
    if (choices && values[name] !== undefined && !choices.includes(String(values[name])))
      throw usageFault(`--${name} must be one of: ${choices.join(', ')}.`)
  checkArguments(command, positionals)
  for (const [name, { type, multiple }] of Object.entries(infos))
    values[name] ??= type === 'boolean' ? false : multiple ? [] : undefined
  return { options: values, args: positionals }
}

function parseWords(
  command: Command,
  words: string[],
  options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }>,
): { values: Parsed['options']; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options })
    return { values: { ...values } as Parsed['options'], positionals }
  } catch (error) {
    // The first sentence names the option. The others are about positional arguments that begin with a hyphen.
    const [message = ''] = (error as Error).message.split(/\.\s|\n/)
    throw usageFault(`${message.replace(/\.$/, '')}.`, `See: beak ${command.name} --help`)
  }
}

function checkArguments({ name, args = [] }: Command, given: string[]): void {
  const missing = args.find(({ optional }, index) => !optional && given[index] === undefined)
  if (missing) throw usageFault(`<${missing.name}> is missing.`, `See: beak ${name} --help`)
  if (given.length > args.length && !args.at(-1)?.rest)
    throw usageFault(`Unexpected argument: ${given[args.length]}.`, `See: beak ${name} --help`)
  for (const [index, { name: argument, choices }] of args.entries()) {
    const value = given[index]
    if (choices && value !== undefined && !choices.includes(value))
      throw usageFault(`<${argument}> must be one of: ${choices.join(', ')}.`)
  }
}
