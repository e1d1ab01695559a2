/** Random choices that a seed repeats. */

export interface Choices {
  /** Returns a whole number from 0 to `below - 1`. */
  below(below: number): number
  /** Returns one of the items. */
  one<T>(items: readonly T[]): T
  /** Returns the items in a random order. */
  shuffled<T>(items: readonly T[]): T[]
}

/** Returns choices that are the same for the same seed (mulberry32). */
export function choicesOf(seed: number): Choices {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    one: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to choose from')
      return item
    },
    shuffled: (items) => {
      const rest = [...items]
      const order: (typeof rest)[number][] = []
      while (rest.length > 0) order.push(...rest.splice(below(rest.length), 1))
      return order
    },
  }
}
