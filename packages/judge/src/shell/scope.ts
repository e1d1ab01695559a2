/** What a command of a line finds when it runs: folder, variables, functions, input. */

import type { Word } from './words'

/** What a command reads from its standard input. */
export type Input =
  | { kind: 'none' }
  /** A text that is written in the line. */
  | { kind: 'text'; text: string }
  /** The output of programs, the last one first. */
  | { kind: 'programs'; argv: Word[][] }

export interface Scope {
  /** Null when an earlier command changed it to a folder that is not known. */
  cwd: string | null
  variables: Map<string, string | null>
  /** The texts of functions by their names. */
  functions: Map<string, string>
  input: Input
  /** The next program of the pipe, as it is written. */
  next: string | null
  /** The place of the text in the line of the call, for a text inside of it. */
  range: [number, number] | null
  /** Whether the text is inside of another one, a loop or another program: nothing in it is as plain as a rule of the person expects. */
  isInside: boolean
  /** Whether it is a script of the folder, of which only clear dangers are asked. */
  isScript: boolean
  depth: number
}

/** Returns a scope whose changes do not reach the first one, as in a subshell. */
export const copyOf = (scope: Scope, change: Partial<Scope> = {}): Scope => ({
  ...scope,
  variables: new Map(scope.variables),
  functions: new Map(scope.functions),
  ...change,
})
