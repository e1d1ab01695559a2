/**
 * Decides what the open inbox shows when the list of pending requests changes. No card disappears or moves while the viewer uses the
 * list: a decided request stays in place, marked, and new requests are held back.
 */
export interface Shown<T> {
  item: T
  /** Arrived while the page was open. */
  isNew: boolean
  /** No longer pending. */
  isGone: boolean
}

interface Listed {
  id: string
}

/**
 * Returns the requests to show, newest first by id, and those to hold back. `isWhole`: the list has no further page, so a request that is
 * not in the list is no longer pending. `isBusy`: the viewer uses the list.
 */
export function merge<T extends Listed>(
  shown: Shown<T>[],
  items: T[],
  { isWhole, isBusy }: { isWhole: boolean; isBusy: boolean },
): { shown: Shown<T>[]; held: T[] } {
  const current = new Map(items.map((item) => [item.id, item]))
  const lastId = items.at(-1)?.id ?? ''
  const kept = shown.map(({ item, isNew }) => {
    const found = current.get(item.id)
    if (found) return { item: found, isNew, isGone: false }
    // A request that moved to the next page is still pending.
    return { item, isNew, isGone: isWhole || item.id > lastId }
  })
  const known = new Set(shown.map(({ item }) => item.id))
  const arrived = items.filter(({ id }) => !known.has(id))
  if (isBusy) return { shown: kept, held: arrived }
  const all = [...arrived.map((item) => ({ item, isNew: true, isGone: false })), ...kept]
  return { shown: all.sort((left, right) => (left.item.id < right.item.id ? 1 : -1)), held: [] }
}
