/** Shows what an edit changes, in the form of a unified diff. */

import { readFileSync } from 'node:fs'

const linesMax = 400

const lines = (sign: string, text: string) => (text === '' ? [] : text.split('\n').map((line) => sign + line))

/** Returns the lines of a change without the lines that both texts begin or end with. */
function change(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const least = Math.min(old.length, fresh.length)
  let start = 0
  while (start < least && old[start] === fresh[start]) start += 1
  let end = 0
  while (end < least - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1
  return [
    ...lines('-', old.slice(start, old.length - end).join('\n')),
    ...lines('+', fresh.slice(start, fresh.length - end).join('\n')),
  ]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns the unified diff of an edit, or null when the input has none of the known forms. */
export function diffOf(path: string, input: Record<string, unknown>): string | null {
  const edits = Array.isArray(input.edits) ? (input.edits as Record<string, unknown>[]) : [input]
  const body = edits.flatMap((edit): string[] => {
    if ('old_string' in edit) return ['@@', ...change(textOf(edit.old_string), textOf(edit.new_string))]
    const content = edit.content ?? edit.new_source
    if (typeof content !== 'string') return []
    let before = ''
    try {
      before = readFileSync(path, 'utf8')
    } catch {
      // A new file.
    }
    return ['@@', ...change(before, content)]
  })
  if (body.length === 0) return null
  const shown =
    body.length > linesMax ? [...body.slice(0, linesMax), ` … ${body.length - linesMax} more lines`] : body
  return [`--- ${path}`, `+++ ${path}`, ...shown].join('\n')
}
