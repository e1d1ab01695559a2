/**
 * Decides what the open inbox shows when the list of pending requests changes. No row disappears or moves while the viewer uses the
 * list: a decided request stays in place, marked, and new requests are held back.
 */
export interface Shown<T> {
  item: T
  /** No longer pending. */
  isGone: boolean
}

interface Listed {
  id: string
}

interface MergeOptions<T> {
  /** The list has all requests that match, so a request that is not in the list is no longer pending. */
  isWhole: boolean
  /** The exception: a request that is not in the list because it no longer matches the filters. */
  isStillPending?: (item: T) => boolean
  /** The viewer uses the list. */
  isBusy: boolean
}

interface Merged<T> {
  shown: Shown<T>[]
  held: T[]
  /** Those that arrived since the last list. Older requests that move up into a full list are not among them. */
  news: T[]
}

/** Returns the requests to show, in the order of `items`, and those to hold back. */
export function merge<T extends Listed>(
  { shown, held }: { shown: Shown<T>[]; held: T[] },
  items: T[],
  { isWhole, isStillPending = () => false, isBusy }: MergeOptions<T>,
): Merged<T> {
  const current = new Map(items.map((item) => [item.id, item]))
  const kept = shown.map(({ item }) => {
    const found = current.get(item.id)
    if (found) return { item: found, isGone: false }
    // A request that new ones have moved out of the first rows is still pending.
    return { item, isGone: isWhole && !isStillPending(item) }
  })
  const known = new Set([...shown.map(({ item }) => item.id), ...held.map(({ id }) => id)])
  const oldest = oldestOf(shown.map(({ item }) => item))
  const news = items.filter(({ id }) => !known.has(id) && id > oldest)
  const listed = new Set(shown.map(({ item }) => item.id))
  const arrived = items.filter(({ id }) => !listed.has(id))
  if (isBusy) return { shown: kept, held: arrived, news }
  return { shown: withAbsent(items, kept), held: [], news }
}

/**
 * Puts requests into the rows of those whose place they took, such as that of an undone approval. `by`: the new id of each old one. They wait,
 * and are no news. `items`: the requests that the service has sent.
 */
export function takePlaces<T extends Listed>(
  { shown, held }: { shown: Shown<T>[]; held: T[] },
  by: ReadonlyMap<string, string>,
  items: T[],
): { shown: Shown<T>[]; held: T[] } {
  const fresh = new Map([...items, ...held].map((item) => [item.id, item]))
  const taken = new Set(shown.flatMap(({ item }) => by.get(item.id) ?? []))
  return {
    shown: shown
      .filter(({ item }) => !taken.has(item.id))
      .map((row) => {
        const id = by.get(row.item.id)
        return id === undefined ? row : { item: fresh.get(id) ?? { ...row.item, id }, isGone: false }
      }),
    held: held.filter(({ id }) => !taken.has(id)),
  }
}

/** Returns the id of the oldest request: ids begin with the time. */
const oldestOf = (items: Listed[]): string => items.map(({ id }) => id).sort()[0] ?? ''

/** Returns the items in their order. Each shown row that is not among them stays before the row that follows it. */
function withAbsent<T extends Listed>(items: T[], shown: Shown<T>[]): Shown<T>[] {
  const present = new Set(items.map(({ id }) => id))
  const absent = new Map<string, Shown<T>[]>()
  let before: Shown<T>[] = []
  for (const row of shown) {
    if (present.has(row.item.id)) {
      absent.set(row.item.id, before)
      before = []
    } else before.push(row)
  }
  const all = items.flatMap((item) => [...(absent.get(item.id) ?? []), { item, isGone: false }])
  return [...all, ...before]
}
