/** The help of the command line, derived from the table of commands. */
import { operatorCommand } from '@/lib/kernel/release'
import type { Command } from './command'
import { commands, getCommand } from './commands'

const start = operatorCommand('')
/** Removes the backticks of a summary, which are there for the Markdown tables of the documents. */
const plain = (summary: string) => summary.replaceAll('`', '')

function formsOf({ name, forms }: Command): string {
  return forms
    .map(({ args, summary }) => `  ${`${name} ${args}`.trimEnd()}\n      ${plain(summary)}`)
    .join('\n')
}

/** Returns every command with its arguments and one sentence. */
export function usage(): string {
  return [
    `Usage: ${start}<command>`,
    '',
    commands.map(formsOf).join('\n'),
    '  help <command>\n      Explains a command.',
    '',
    'Set the same environment variables as for the server. With the embedded database, a running server runs the command.',
    'Otherwise the command opens the database.',
  ].join('\n')
}

/** Returns the details of a command. Throws `UsageError` when there is no such command. */
function explainCommand(name: string): string {
  const command = getCommand(name)
  const { forms, details, needsStoppedServer } = command
  return [
    ...forms.map(({ args }) => `Usage: ${start}${`${name} ${args}`.trimEnd()}`),
    '',
    ...forms.map(({ summary }) => plain(summary)),
    '',
    details,
    ...(needsStoppedServer ? [`Stop the server first. ${needsStoppedServer}`] : []),
  ].join('\n')
}

const asksForHelp = (word: string | undefined) => word === '--help' || word === '-h'

/** Returns the help that a command line asks for, or null when it asks for no help. Throws `UsageError` for an unknown command. */
export function helpFor([name, ...args]: string[]): string | null {
  if (name === undefined) return usage()
  if (name === 'help' || asksForHelp(name)) return args[0] === undefined ? usage() : explainCommand(args[0])
  return args.some(asksForHelp) ? explainCommand(name) : null
}
