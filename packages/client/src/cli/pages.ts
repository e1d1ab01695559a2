/** Lists of the command line: the options of every list, and how its items are read. */
import { numberOf } from './duration'
import type { ListPage } from './output'

/** Options of commands that list what the API lists in pages. */
export const listOptions = {
  limit: { type: 'string', value: 'number', summary: 'How many. Default: 20.' },
  cursor: { type: 'string', value: 'cursor', summary: 'Go on where an earlier list ended: its next_cursor.' },
} as const

/** Returns the value of `--limit`. Throws `Exit` when it is no number. */
export const limitOf = (text: string | undefined): number => numberOf('limit', text) ?? 20

/** The most items that the API gives at once. */
const pageSize = 100

/** Reads pages until there are `limit` items or no more. `next_cursor` leads to what comes after them. */
export async function readItems<T>(
  limit: number,
  cursor: string | undefined,
  read: (query: { limit: number; cursor?: string }) => Promise<ListPage<T>>,
): Promise<ListPage<T>> {
  const items: T[] = []
  let next: string | null = cursor ?? null
  while (items.length < limit) {
    const size = Math.min(limit - items.length, pageSize)
    const page: ListPage<T> = await read({ limit: size, ...(next === null ? {} : { cursor: next }) })
    items.push(...page.items)
    next = page.next_cursor
    if (next === null) break
  }
  return { items, next_cursor: next }
}
