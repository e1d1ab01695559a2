/**
 * Long computations in slices. Between two slices the process answers other requests. All computations of the process together run one slice at a
 * time and then pause for as long, so that many of them delay a request by no more than one does, and leave it half of the time.
 */
import { singleton } from './singleton'

/** What one slice may weigh. The items of a list are weighed in bytes of what a client sent: 4 KiB are about 1 ms of work. */
export const sliceWeight = 4 * 1024

interface Slices {
  /** Computations that wait for their next slice, the first one first. */
  waiting: (() => void)[]
  isRunning: boolean
  /** Slices that waited for a turn, since the process started. */
  count: number
}

const slices = () => singleton('slices', (): Slices => ({ waiting: [], isRunning: false, count: 0 }))

/**
 * A request takes several turns of the event loop. With a slice in each turn it would wait for several slices. The longest pause counts where the
 * machine is busy with other programs, which make slices seem long.
 */
const longestPauseMs = 5

function runNext(): void {
  const state = slices()
  const began = performance.now()
  state.waiting.shift()?.()
  // Microtasks run the slice before the event loop goes on.
  setImmediate(() => {
    state.isRunning = state.waiting.length > 0
    if (state.isRunning) setTimeout(runNext, Math.min(longestPauseMs, performance.now() - began))
  })
}

/** Resolves in a later turn of the event loop, in which no other slice runs. */
export function nextSlice(): Promise<void> {
  const state = slices()
  state.count++
  return new Promise((resolve) => {
    state.waiting.push(resolve)
    if (state.isRunning) return
    state.isRunning = true
    setImmediate(runNext)
  })
}

/** Returns how many slices have waited for a turn in this process. For tests. @internal */
export function countSlices(): number {
  return slices().count
}

/**
 * Returns what `work` returns for each item, in order. Waits for another turn of the event loop before the weight of the items since the last one
 * exceeds a slice, so a short list is worked on at once.
 */
export async function inSlices<T, R>(
  items: readonly T[],
  weigh: (item: T) => number,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = []
  let weight = 0
  for (const item of items) {
    const own = weigh(item)
    if (weight > 0 && weight + own > sliceWeight) {
      await nextSlice()
      weight = 0
    }
    weight += own
    results.push(work(item))
  }
  return results
}
