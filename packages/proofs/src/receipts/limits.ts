/** Files that no service makes are refused before they are read, so that a check never takes long. */
import { isExactNumber } from '../exact-numbers'

/** The service accepts params that are nested 32 levels deep, and a receipt wraps them in five. */
const depthMax = 40
/** A receipt with 1,024 params has about 15,000 names and values. */
const valuesMax = 40_000
/** In code points, as Zod and Python count. A receipt has at most 128 KiB of signatures of witnesses, and about 40 KiB of other texts. */
const charactersMax = 512 * 1024
/** Half of a surrogate pair, which has no UTF-8 and so no hash. */
const halfCharacter = /\p{Surrogate}/u

function codePoints(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
}

/**
 * Tells whether a JSON value can be a receipt: it is not larger, every text is Unicode, and JSON keeps every number. Reads at most `valuesMax` values, and never
 * recursively.
 */
export function canBeReceipt(file: unknown): boolean {
  const waiting: { value: unknown; depth: number }[] = [{ value: file, depth: 0 }]
  let [values, characters] = [0, 0]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next
    if (typeof value === 'number' && !isExactNumber(value)) return false
    if (typeof value === 'string') {
      // A code point has at most two UTF-16 units, so a longer text needs no counting.
      characters += value.length > 2 * charactersMax ? value.length : codePoints(value)
      if (characters > charactersMax || halfCharacter.test(value)) return false
    }
    if (typeof value === 'object' && value !== null) {
      const names = Array.isArray(value) ? [] : Object.keys(value)
      const inner: unknown[] = [...names, ...Object.values(value)]
      values += inner.length
      if (values > valuesMax || depth > depthMax) return false
      for (const one of inner) waiting.push({ value: one, depth: depth + 1 })
    }
  }
  return true
}
