/** What the judge finds in a call. */

import type { Level, Reason } from './types'

/** The names of actions. Those with values of their own are in the files of their programs. */
export interface Finding extends Reason {
  level: Level
  /** Default: `run:command`. */
  action: string
  /** Values that rules of the person can match. */
  params: Record<string, unknown>
  /** Which command of the line it is about. */
  part: number
  range: [number, number]
  /** Whether the command stands in the line as a rule of the person expects it. */
  isPlain: boolean
}

const levels: Level[] = ['low', 'medium', 'high']

/** Returns the highest level of some. */
export const highest = (found: readonly { level: Level }[]): Level =>
  levels[Math.max(0, ...found.map(({ level }) => levels.indexOf(level)))] ?? 'low'
