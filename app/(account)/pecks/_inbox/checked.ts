/** The selection of several rows: single rows, and a range that grows and shrinks from the row where it began. */
import { rangeOf } from './groups'

export interface Checked {
  ids: ReadonlySet<string>
  /** The selection before the present range. */
  base: ReadonlySet<string>
  /** Where the range began, or the row that was changed last. */
  anchor: string | null
  /** Where the range ends. */
  end: string | null
}

const none: ReadonlySet<string> = new Set()
export const nothingChecked: Checked = { ids: none, base: none, anchor: null, end: null }

/** Selects a row or takes it out. The next range begins there. */
export function toggled({ ids }: Checked, id: string): Checked {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, base: next, anchor: id, end: id }
}

/** Replaces the range that began at the same row, or adds a new one. */
export function withRange(
  checked: Checked,
  ids: string[],
  { from, to }: { from: string; to: string },
): Checked {
  const base = checked.anchor === from ? checked.base : checked.ids
  return { ids: new Set([...base, ...rangeOf(ids, from, to)]), base, anchor: from, end: to }
}
