/** Groups the rows of the inbox by who asks, in an order that does not change while the page is open. */
interface Row {
  id: string
  asker: string
}

export interface Group<T> {
  asker: string
  rows: T[]
}

/**
 * Returns the rows in groups, each in the given order. `earlier` are the askers in the order that the page shows: they keep their places,
 * and new groups come before them, the newest first.
 */
export function groupRows<T extends Row>(rows: T[], earlier: string[]): Group<T>[] {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(row.asker, [...(groups.get(row.asker) ?? []), row])
  const known = earlier.filter((asker) => groups.has(asker))
  const added = [...groups.keys()].filter((asker) => !earlier.includes(asker))
  return [...added, ...known].map((asker) => ({ asker, rows: groups.get(asker) ?? [] }))
}

/** Returns the id of the next row (`step` 1) or the one before (`step` -1) that is in `open`, from `id` on. Null at the end. */
export function neighbourOf(
  ids: string[],
  id: string | null,
  step: 1 | -1,
  open: Set<string>,
): string | null {
  const from = id === null ? (step === 1 ? -1 : ids.length) : ids.indexOf(id)
  for (let index = from + step; index >= 0 && index < ids.length; index += step) {
    const candidate = ids[index]
    if (candidate !== undefined && open.has(candidate)) return candidate
  }
  return null
}

/** Returns the ids from one row to another, both included, in the order of the list. */
export function rangeOf(ids: string[], from: string, to: string): string[] {
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)].sort((left, right) => left - right)
  return start === undefined || end === undefined || start < 0 ? [to] : ids.slice(start, end + 1)
}
