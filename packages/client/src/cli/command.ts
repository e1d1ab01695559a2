/** How a command is declared. Help, completion and parsing follow from the declaration. */
import type { Session } from './session'

export interface OptionInfo {
  type: 'string' | 'boolean'
  multiple?: true
  /** The name of the value in the help, such as `seconds`. */
  value?: string
  /** The values that are allowed. */
  choices?: readonly string[]
  summary: string
}

type ValueOf<Info> = Info extends { type: 'boolean' }
  ? boolean
  : Info extends { multiple: true }
    ? string[]
    : string | undefined

export type OptionsOf<Options> = { [Name in keyof Options]: ValueOf<Options[Name]> }

interface Input<Options> {
  options: OptionsOf<Options>
  /** Checked against the number of arguments of the declaration. */
  args: string[]
  session: Session
}

export interface ArgumentInfo {
  name: string
  summary: string
  optional?: true
  /** Takes all further arguments. */
  rest?: true
  choices?: readonly string[]
}

export interface Command<Options extends Record<string, OptionInfo> = Record<string, OptionInfo>> {
  /** Its words, such as `peck ask`. */
  name: string
  /** One sentence. */
  summary: string
  /** More about it, below the summary. */
  details?: string
  args?: readonly ArgumentInfo[]
  options?: Options
  /** Suggests the next argument for completion in a shell. */
  suggest?(args: readonly string[]): string[]
  run(input: Input<Options>): Promise<void>
}

/** Returns the declaration with its types checked. */
export function command<const Options extends Record<string, OptionInfo> = Record<never, OptionInfo>>(
  declared: Command<Options>,
): Command {
  return declared as unknown as Command
}

/** Options of every command. */
export const commonOptions = {
  url: { type: 'string', value: 'address', summary: 'The service, such as https://beak.example.' },
  json: { type: 'boolean', summary: 'Print the result as JSON.' },
  'allow-test': {
    type: 'boolean',
    summary: 'Accept what a test service on this computer made, as BEAK_ALLOW_TEST=1 does. Only for tests.',
  },
  help: { type: 'boolean', summary: 'Show this help.' },
} as const satisfies Record<string, OptionInfo>
