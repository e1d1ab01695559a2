/** Completion in shells. The scripts of `beak completion` call `beak __complete` with the words up to the cursor. */
import type { Command } from './command'
import { findCommand, optionsOf } from './parse'

/** Returns the words that can stand at the cursor. The last of `words` is being typed, and may be empty. */
export function complete(commands: readonly Command[], words: string[]): string[] {
  const before = words.slice(0, -1)
  const typed = words.at(-1) ?? ''
  return [...new Set(candidates(commands, before))].filter((word) => word.startsWith(typed))
}

function candidates(commands: readonly Command[], before: string[]): string[] {
  const found = findCommand(commands, before)
  if (found === null) return nextWords(commands, before)
  const { command, rest } = found
  const options = optionsOf(command)
  const last = rest.at(-1)?.replace(/^--/, '')
  const previous = rest.at(-1)?.startsWith('--') && last ? options[last] : undefined
  // The value of an option stands here.
  if (previous?.type === 'string') return [...(previous.choices ?? [])]
  const args = argumentsIn(rest, options)
  const argument = command.args?.[args.length]
  return [
    ...(argument?.choices ?? []),
    ...(command.suggest?.(args) ?? []),
    ...Object.keys(options).map((name) => `--${name}`),
  ]
}

/** Returns the next word of the commands that begin with these words. */
function nextWords(commands: readonly Command[], before: string[]): string[] {
  const names = commands.map(({ name }) => name.split(' '))
  return names.flatMap((name) =>
    before.every((word, index) => name[index] === word) ? (name[before.length] ?? []) : [],
  )
}

/** Returns the words that are neither options nor their values. */
function argumentsIn(words: string[], options: ReturnType<typeof optionsOf>): string[] {
  return words.filter((word, index) => {
    const previous = words[index - 1]?.replace(/^--/, '')
    const isValue = words[index - 1]?.startsWith('--') && options[previous ?? '']?.type === 'string'
    return !word.startsWith('--') && !isValue
  })
}
