/** Runs one command line, in a process of its own (`main.ts`) or in another one. */
import { version } from '../version'
import { commands } from './commands'
import { complete } from './complete'
import { endingOf, linesOf, refusalJson } from './ending'
import { exitCodes, usageFault } from './exit'
import { commandHelp, overviewHelp } from './help'
import { Output, type Places, safe } from './output'
import { findCommand, parse } from './parse'
import { Session } from './session'

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

/**
 * Runs a command line and returns the exit code. With --json, a refusal is JSON on standard output, unless a result was printed. A command
 * that reads standard input reads that of this process.
 */
export async function runCommandLine(
  words: string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  places: Places = process,
): Promise<number> {
  const output = new Output(isForPrograms(words), env, places)
  try {
    return await run(words, env, signal, output)
  } catch (error) {
    const ending = endingOf(error)
    for (const line of linesOf(ending)) output.note(safeLine(line))
    if (output.isJson && !output.hasResult) output.result(refusalJson(ending), () => '')
    return ending.exit
  }
}

/** Tells whether a command line demands JSON. It is read before the options are checked, because their refusal is JSON too. */
function isForPrograms(words: string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? words.length : end).includes('--json')
}

async function run(
  words: string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  output: Output,
): Promise<number> {
  if (words[0] === '__complete') return print(output, complete(commands, words.slice(1)).join('\n'))
  if (words[0] === '--version') return print(output, version)
  const found = findCommand(commands, isHelp(words[0]) ? words.slice(1) : words)
  if (found === null) return explainGroup(words, output)
  const { command, rest } = found
  if (isHelp(words[0])) return print(output, commandHelp(command))
  const { options, args } = parse(command, rest)
  if (options.help === true) return print(output, commandHelp(command))
  const url = typeof options.url === 'string' ? options.url : undefined
  await command.run({
    options: options as never,
    args,
    session: new Session(env, output, url, signal, options['allow-test'] === true),
  })
  return exitCodes.ok
}

/** Shows the commands, or those of a group. Any other word is wrong. */
function explainGroup(words: string[], output: Output): number {
  const named = words.filter((word) => !isHelp(word) && word !== '--json')
  const [group] = named
  if (group === undefined) {
    if (words.some(isHelp)) return print(output, overviewHelp(commands))
    output.note(overviewHelp(commands))
    throw usageFault('No command is named.')
  }
  const isGroup = commands.some(({ name }) => name.startsWith(`${group} `))
  if (isGroup && words.some(isHelp)) return print(output, overviewHelp(commands, group))
  if (!isGroup) throw usageFault(`There is no command "${safe(group)}".`, 'See: beak --help')
  output.note(overviewHelp(commands, group))
  throw usageFault(`"${safe(group)}" is a group of commands.`)
}

function print(output: Output, text: string): number {
  output.print(`${text}\n`)
  return exitCodes.ok
}

/** Keeps the indent of a line. */
function safeLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? ''
  return `${indent}${safe(line.slice(indent.length))}`
}
