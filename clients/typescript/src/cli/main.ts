#!/usr/bin/env node
/** The command line `beak`. */
import { BeakAnswerError, BeakConnectionError, BeakError } from '../errors'
import { version } from '../version'
import { commands } from './commands'
import { complete } from './complete'
import { Exit, exitCodes } from './exit'
import { commandHelp, overviewHelp } from './help'
import { Output, safe } from './output'
import { findCommand, parse } from './parse'
import { Session } from './session'

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

/** Runs a command line and returns the exit code. */
async function main(words: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  if (words[0] === '__complete') return print(complete(commands, words.slice(1)).join('\n'))
  if (words[0] === '--version') return print(version)
  const found = findCommand(commands, isHelp(words[0]) ? words.slice(1) : words)
  if (found === null) return explainGroup(words)
  const { command, rest } = found
  if (isHelp(words[0])) return print(commandHelp(command))
  const { options, args } = parse(command, rest)
  if (options.help === true) return print(commandHelp(command))
  const output = new Output(options.json === true, env)
  const url = typeof options.url === 'string' ? options.url : undefined
  await command.run({ options: options as never, args, session: new Session(env, output, url, signal) })
  return exitCodes.ok
}

/** Shows the commands, or those of a group. Any other word is wrong. */
function explainGroup(words: string[]): number {
  const named = words.filter((word) => !isHelp(word))
  const [group] = named
  if (group === undefined) {
    if (words.length > 0) return print(overviewHelp(commands))
    process.stderr.write(`${overviewHelp(commands)}\n`)
    return exitCodes.usage
  }
  const isGroup = commands.some(({ name }) => name.startsWith(`${group} `))
  if (isGroup && words.some(isHelp)) return print(overviewHelp(commands, group))
  process.stderr.write(
    isGroup
      ? `${overviewHelp(commands, group)}\n`
      : `There is no command "${safe(group)}". See: beak --help\n`,
  )
  return exitCodes.usage
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return exitCodes.ok
}

interface Ending {
  code: number
  message: string
  hint: string
}

/** Returns how an error ends the command. */
function endingOf(error: unknown): Ending {
  if (error instanceof Exit) return error
  if (error instanceof BeakError) return refusalOf(error)
  if (error instanceof BeakConnectionError || error instanceof BeakAnswerError)
    return { code: exitCodes.unreachable, message: error.message, hint: causeOf(error) }
  return {
    code: exitCodes.fault,
    message: error instanceof Error ? error.message : String(error),
    hint: 'This is a fault of beak. Please report it.',
  }
}

function refusalOf(error: BeakError): Ending {
  const { code, reason, status, message, errors, action } = error
  const fields = errors.map((fault) => `  ${fault.field} ${fault.message}`).join('\n')
  const text = `${message} (${reason === null ? code : `${code} ${reason}`})${fields && `\n${fields}`}`
  if (code === 'E4001' || reason === 'session_invalid')
    return { code: exitCodes.notSignedIn, message: text, hint: 'Sign in with: beak login' }
  return { code: status >= 500 ? exitCodes.unreachable : exitCodes.refused, message: text, hint: action }
}

const causeOf = ({ cause }: Error): string => {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
  return inner instanceof Error && inner.message !== '' ? inner.message : ''
}

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // The second time, a command that does not end by itself is killed.
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
    interruption.abort(new Exit(exitCodes.interrupted, 'Interrupted.'))
  })
// The reader may go away early: beak peck list | head.
process.stdout.on('error', () => process.exit(exitCodes.ok))

main(process.argv.slice(2), process.env, interruption.signal).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const { code, message, hint } = endingOf(error)
    process.stderr.write(`${message.split('\n').map(safeLine).join('\n')}\n`)
    if (hint !== '') process.stderr.write(`${safe(hint)}\n`)
    process.exitCode = code
  },
)

/** Keeps the indent of a line. */
function safeLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? ''
  return `${indent}${safe(line.slice(indent.length))}`
}
