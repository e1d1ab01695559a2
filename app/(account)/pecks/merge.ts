/**
 * What the open inbox shows when the list changes behind it. Nothing that is on the screen goes away or moves while somebody is
 * at it: a request that no longer waits stays where it is, marked, and new ones are held back until asked for.
 */
export interface Shown<T> {
  item: T
  /** Came while the page was open. */
  isNew: boolean
  /** No longer among those that wait. */
  isGone: boolean
}

interface Listed {
  id: string
}

/** `isWhole`: the list has no further pages, so that what is not in it no longer waits. Newest, by id, first. */
export function merge<T extends Listed>(
  shown: Shown<T>[],
  items: T[],
  { isWhole, isBusy }: { isWhole: boolean; isBusy: boolean },
): { shown: Shown<T>[]; held: T[] } {
  const current = new Map(items.map((item) => [item.id, item]))
  const end = items.at(-1)?.id ?? ''
  const kept = shown.map(({ item, isNew }) => {
    const found = current.get(item.id)
    if (found) return { item: found, isNew, isGone: false }
    // One that was pushed onto the next page still waits.
    return { item, isNew, isGone: isWhole || item.id > end }
  })
  const known = new Set(shown.map(({ item }) => item.id))
  const fresh = items.filter(({ id }) => !known.has(id))
  if (isBusy) return { shown: kept, held: fresh }
  const all = [...fresh.map((item) => ({ item, isNew: true, isGone: false })), ...kept]
  return { shown: all.sort((left, right) => (left.item.id < right.item.id ? 1 : -1)), held: [] }
}
