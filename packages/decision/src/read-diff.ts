/** Reads what changes between two texts, line by line. */

export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'place'
  text: string
}

const signs: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed' }

/** Reads a unified diff. A line without a sign of its own is a line that stays. */
function readUnified(text: string): DiffLine[] {
  return text.split('\n').map((line): DiffLine => {
    if (/^(\+\+\+ |--- |@@ |diff |index )/.test(line)) return { kind: 'place', text: line }
    const kind = signs[line.charAt(0)] ?? 'same'
    return { kind, text: kind !== 'same' || line.startsWith(' ') ? line.slice(1) : line }
  })
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** Compares two values. */
function compare(before: unknown, after: unknown): DiffLine[] {
  const [old, fresh] = [textOf(before).split('\n'), textOf(after).split('\n')]
  const least = Math.min(old.length, fresh.length)
  let start = 0
  while (start < least && old[start] === fresh[start]) start++
  let end = 0
  while (end < least - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  return [
    ...lines('same', old.slice(0, start)),
    ...compareMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...lines('same', old.slice(old.length - end)),
  ]
}

const lines = (kind: DiffLine['kind'], texts: string[]) => texts.map((text): DiffLine => ({ kind, text }))

/** More lines than this are not worth the time: the whole middle then counts as removed and added. */
const comparedMax = 300

/** Finds the longest series of lines that both have. The lines between are removed and added. */
function compareMiddle(old: string[], fresh: string[]): DiffLine[] {
  if (old.length > comparedMax || fresh.length > comparedMax)
    return [...lines('removed', old), ...lines('added', fresh)]
  const common = commonLengths(old, fresh)
  const result: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [left, right] = [old[i], fresh[j]]
    if (left !== undefined && left === right) {
      result.push({ kind: 'same', text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      result.push({ kind: 'removed', text: left })
      i++
    } else {
      result.push({ kind: 'added', text: right ?? '' })
      j++
    }
  }
  return result
}

const at = (table: number[][], row: number, column: number) => table[row]?.[column] ?? 0

/** Returns, for each pair of positions, the length of the longest common series of lines from there on. */
function commonLengths(old: string[], fresh: string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0))
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--) {
      const row = table[i] ?? []
      row[j] =
        old[i] === fresh[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  return table
}

/** Returns the lines of a change: of a text in the form of a unified diff, or of `{before, after}`. */
export function readDiff(value: unknown): DiffLine[] {
  if (typeof value === 'object' && value !== null && 'before' in value && 'after' in value)
    return compare(value.before, value.after)
  return readUnified(textOf(value))
}
