/** Random bytes of the system's generator, which costs 2 µs a call however few bytes it returns. So one call serves many. */
import { randomFillSync } from 'node:crypto'

const stock = Buffer.alloc(4096)
let used = stock.length

/** Returns random bytes, at most 4096. They are used once: the stock forgets them. */
export function randomBytes(count: number): Buffer<ArrayBuffer> {
  if (count > stock.length) throw new RangeError(`at most ${stock.length} random bytes at once`)
  if (used + count > stock.length) {
    randomFillSync(stock)
    used = 0
  }
  const bytes = Buffer.alloc(count)
  stock.copy(bytes, 0, used, used + count)
  stock.fill(0, used, used + count)
  used += count
  return bytes
}
