/** Runs what simultaneous rows have in common with few statements: their codes, their renewals, their ends. */

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Items of one run. */
const itemsMax = 200

/**
 * Returns a function that runs one item together with those of other simultaneous calls. `run` returns a result for each item, in the
 * same order. When it throws, each item runs alone, so that a faulty item does not fail the others. Runs never overlap.
 */
export function gathered<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const settle = async (batch: typeof waiting): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      const [first, ...rest] = batch
      if (rest.length === 0) first?.reject(error)
      else for (const one of batch) await settle([one])
    }
  }
  const runAll = async () => {
    while (waiting.length > 0) await settle(waiting.splice(0, itemsMax))
    isRunning = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      // After the callbacks of everything that has arrived.
      setImmediate(runAll)
    })
}
