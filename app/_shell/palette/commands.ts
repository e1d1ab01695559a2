/** Commands of the palette that the inbox carries out. Each only selects a request there or opens a dialog: the person decides. */
import { readClock } from '@/lib/kernel/runtime/clock'

export type InboxCommand =
  | { kind: 'decide'; decision: 'approve' | 'reject'; ids: string[] }
  | { kind: 'block'; duckling: Blockable }
  | { kind: 'select'; id: string }

/** A person who can be blocked. `mark`: the handle or the end of the id, which tells people with the same name apart. */
export interface Blockable {
  id: string
  name: string
  mark: string
}

/** A command waits this long for the inbox to open. A dialog that opens later would be a surprise. */
const longestWait = 15_000
const given = 'beak:inbox-command'

let waiting: { command: InboxCommand; until: number } | null = null

/** Gives a command to the inbox. Returns whether an open inbox has taken it already. */
export function giveCommand(command: InboxCommand): boolean {
  waiting = { command, until: readClock().getTime() + longestWait }
  window.dispatchEvent(new Event(given))
  return waiting === null
}

/** Returns the command that waits, once. Null when none waits. */
export function takeCommand(): InboxCommand | null {
  const taken = waiting
  waiting = null
  return taken !== null && taken.until > readClock().getTime() ? taken.command : null
}

/** Calls `take` when a command is given. Returns the function that ends this. */
export function onCommand(take: () => void): () => void {
  window.addEventListener(given, take)
  return () => window.removeEventListener(given, take)
}
