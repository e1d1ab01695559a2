/**
 * Places for heavy calls. At most two of an account run at once, so one caller cannot keep the others waiting. The next ones wait for a moment, and
 * are refused when none of the two ends.
 */
import { randomUUID } from 'node:crypto'
import { connectRedis } from '@/lib/db/redis'
import { fail } from '@/lib/kernel/failures'
import { describeError, log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'
import { changePlaceInMemory, changePlaceInRedis, type PlaceChange } from './place-leases'
import { changePlaceElsewhere, isCountedElsewhere } from './shared-limits'

/** Calls of an account that wait in this process. */
const waitingMax = 4
const waitMs = 2_000
/** A place that ends in another process is found after this time. */
const pollMs = 100
/** Seconds until a refused call should try again. */
const retrySeconds = 2

/** The calls of an account that wait for a place in this process. */
interface Line {
  waiting: number
  wakes: Set<() => void>
}

const lines = () => singleton('places.lines', () => new Map<string, Line>())

async function change(place: PlaceChange): Promise<boolean> {
  const redis = connectRedis()
  if (redis !== null) {
    try {
      return await changePlaceInRedis(redis, place)
    } catch (error) {
      log().warn({ error: describeError(error) }, 'places are counted in this process')
    }
  }
  return isCountedElsewhere() ? changePlaceElsewhere(place) : changePlaceInMemory(place)
}

/** Resolves when a place of the account ends in this process, or after a moment. */
function changeOf({ wakes }: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      wakes.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    wakes.add(wake)
  })
}

/** Throws `rate_limited` when no place ends within the time, or too many wait. */
async function waitForPlace(place: PlaceChange): Promise<void> {
  const { account } = place
  const line = lines().get(account) ?? { waiting: 0, wakes: new Set() }
  if (line.waiting >= waitingMax) throw fail('rate_limited', { retry_after: retrySeconds })
  lines().set(account, line)
  line.waiting++
  const end = performance.now() + waitMs
  try {
    for (;;) {
      await changeOf(line, pollMs)
      if (await change(place)) return
      if (performance.now() >= end) throw fail('rate_limited', { retry_after: retrySeconds })
    }
  } finally {
    line.waiting--
    if (line.waiting === 0) lines().delete(account)
  }
}

/** Runs a heavy call in a place of the account. Throws `rate_limited` when there is none within two seconds. */
export async function inPlace<T>(account: string, run: () => Promise<T> | T): Promise<T> {
  const place = { account, lease: randomUUID(), isEnd: false }
  if (!(await change(place))) await waitForPlace(place)
  try {
    return await run()
  } finally {
    await change({ ...place, isEnd: true })
    const [first] = lines().get(account)?.wakes ?? []
    first?.()
  }
}
