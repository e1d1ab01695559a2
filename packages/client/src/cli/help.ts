/** The help texts. They follow from the declarations of the commands. */
import { version } from '../version'
import type { ArgumentInfo, Command, OptionInfo } from './command'
import { optionsOf } from './parse'

const argumentText = ({ name, optional, rest }: ArgumentInfo) => {
  const text = rest ? `${name}…` : name
  return optional ? `[${text}]` : `<${text}>`
}

const usageOf = ({ name, args = [] }: Command) => ['beak', name, ...args.map(argumentText)].join(' ')

const optionText = (name: string, { type, value = 'text' }: OptionInfo) =>
  type === 'boolean' ? `--${name}` : `--${name} <${value}>`

/** Returns two aligned columns, indented. */
function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const withChoices = (summary: string, choices?: readonly string[]) =>
  choices && choices.length < 10 ? `${summary} One of: ${choices.join(', ')}.` : summary

/** Returns the help of one command. */
export function commandHelp(command: Command): string {
  const { summary, details, args = [] } = command
  const parts = [`Usage: ${usageOf(command)} [options]`, summary]
  if (details) parts.push(details)
  if (args.length > 0)
    parts.push(
      `Arguments:\n${columns(args.map((one) => [argumentText(one), withChoices(one.summary, one.choices)]))}`,
    )
  parts.push(
    `Options:\n${columns(
      Object.entries(optionsOf(command)).map(([name, option]) => [
        optionText(name, option),
        withChoices(option.summary, option.choices),
      ]),
    )}`,
  )
  return parts.join('\n\n')
}

/** Returns the help of the program, or of a group of commands such as `peck`. */
export function overviewHelp(commands: readonly Command[], group?: string): string {
  const shown = commands.filter(({ name }) => group === undefined || name.startsWith(`${group} `))
  return `Usage: beak ${group === undefined ? '<command>' : `${group} <command>`} [options]

${group === undefined ? `The command line of Beak, version ${version}.\n\n` : ''}${columns(shown.map((one) => [usageOf(one).slice('beak '.length), one.summary]))}

Every command has --help, --json and --url.
Environment: BEAK_URL (the service), BEAK_TOKEN (session of a person), BEAK_KEY (key of an agent), NO_COLOR.
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 not signed in, 4 not valid, 5 service not reachable, 6 not decided yet.`
}
