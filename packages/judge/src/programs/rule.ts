/** What a rule for programs is. */

import type { Line } from '../shell/line'
import type { Scope } from '../shell/scope'
import type { Word } from '../shell/words'

interface Command {
  line: Line
  scope: Scope
  /** The name of the program without its folder. */
  name: string
  /** The words after the name. */
  args: Word[]
}

/** Judges a command. What it does not ask about passes. */
export type Rule = (command: Command) => void

/** Gives several programs the same rule. */
export const rulesFor = (names: string, rule: Rule): [string, Rule][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, rule])
