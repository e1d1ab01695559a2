/** What the rules of programs can ask of the line that they judge. `walk.ts` has the code. */

import type { Node } from 'web-tree-sitter'
import type { Level, Place } from '../types'
import type { Scope } from './scope'
import type { Word } from './words'

/** What the person is asked, beside the name of the reason. */
export interface Ask {
  /** Default: medium. */
  level?: Level
  /** Default: `run:command`. */
  action?: string
  /** Values that rules of the person can match. */
  params?: Record<string, unknown>
  /** Values of the sentence. */
  values?: Record<string, string | number>
}

export interface Line {
  readonly text: string
  readonly place: Place
  /** Whether a command changed what later commands mean, such as the branch or a variable. */
  hasChanged: boolean
  /** The files that the line writes, with their texts where these stand in the line. */
  readonly written: Map<string, string | null>
  /** Records that the person is asked about the command that is judged. */
  ask(rule: string, scope: Scope, ask?: Ask): void
  /**
   * Judges that a command runs what the files of the folder define: a build, a test, a script.
   *
   * @param files only these count as changed. Default: all build files
   */
  build(scope: Scope, files?: RegExp): void
  /** Judges a text that the command gives to a shell. */
  runInside(text: string, scope: Scope, change?: Partial<Scope>): void
  /** Judges the words of a command that the command runs. */
  call(argv: Word[], scope: Scope, change?: Partial<Scope>): void
  /** Returns the absolute path of a word, or null when it is not known. */
  path(word: Word, scope: Scope): string | null
  /** Returns the words that a node of the grammar stands for, and judges the substitutions in it. */
  words(node: Node, scope: Scope): Word[]
}
