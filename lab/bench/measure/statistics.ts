/** Returns the median, or NaN for an empty list. Ignores values that are not finite. */
export function median(values: number[]): number {
  const sorted = values.filter(Number.isFinite).sort((left, right) => left - right)
  const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  const high = sorted[sorted.length >> 1] ?? Number.NaN
  return (low + high) / 2
}

/** Returns the value below which the given share (0 to 1) of the sorted values lies. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Returns a copy in random order. */
export function shuffled<T>(items: T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }))
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item)
}
