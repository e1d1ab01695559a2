/** What every play of faults gets and returns. */
import type { Choices } from './seed'

export interface Play {
  choices: Choices
  /** Whether to play every fault in every way. */
  isThorough: boolean
  /** Whether no new fault may begin. */
  isOver(): boolean
  /** Only ceremonies whose name contains this text. */
  only: string
  print(line: string): void
}

export interface Played {
  played: number
  /** One line for each fault after which something was wrong. */
  wrong: string[]
}
