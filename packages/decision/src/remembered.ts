/** Remembers what a function returned for short texts that repeat, such as actions and names of params. Never for values: they may be secrets. */
import { Recent } from './recent'

const entriesMax = 4000
const lengthMax = 64

/** Returns the function with a memory of at most 4,000 texts. */
export function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const memory = new Recent<Result>(entriesMax)
  return (text) => {
    if (text.length > lengthMax) return compute(text)
    const before = memory.find(text)
    return before === undefined ? memory.keep(text, compute(text)) : before
  }
}
