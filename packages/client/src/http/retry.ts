/** Limits how long something may take. */

import { BeakTimeoutError, isTransient, retryAfterOf } from '../errors'

/** A signal that aborts after a time without progress, or with the caller's signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Starts the time anew. */
  extend(milliseconds: number): void
  /** Releases the timer and the listener. */
  end(): void
}

/**
 * Starts a deadline. Its signal aborts with `BeakTimeoutError`, or with the reason of the caller's signal.
 *
 * @param milliseconds until the first timeout
 */
export function startDeadline(milliseconds: number, signal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const expire = () => controller.abort(new BeakTimeoutError('The service did not answer in time.'))
  const abort = () => controller.abort(signal?.reason)
  let timer = setTimeout(expire, milliseconds)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    extend: (more) => {
      clearTimeout(timer)
      timer = setTimeout(expire, more)
    },
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

/** Waits. Rejects with the reason of the signal when it aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Repeats what failed for a moment. */

export interface RetryPolicy {
  /** How many repetitions at most. 0 where repeating is not safe. */
  retries: number
  /** The longest wait, in milliseconds. A longer `Retry-After` is not waited for. */
  maxDelay: number
  signal: AbortSignal | undefined
}

/** Milliseconds before the first repetition. They double with each. */
const firstDelay = 500

/**
 * Returns the milliseconds to wait before repetition `number` (from 0) after an error, or null when the error does not pass, or not
 * soon enough. The wait is random, so that many clients do not come back at the same moment.
 */
export function delayAfter(error: unknown, number: number, maxDelay: number): number | null {
  if (!isTransient(error)) return null
  const backoff = Math.min(firstDelay * 2 ** number, maxDelay)
  const asked = retryAfterOf(error)
  if (asked === null) return backoff * (0.5 + Math.random() / 2)
  // Never earlier than asked.
  return asked * 1000 > maxDelay ? null : asked * 1000 + Math.random() * Math.min(backoff, 1000)
}

/** Runs an attempt until it succeeds, fails for good, or was repeated often enough. Throws the last error. */
export async function withRetries<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let number = 0; ; number++) {
    try {
      return await attempt()
    } catch (error) {
      const delay = number < policy.retries ? delayAfter(error, number, policy.maxDelay) : null
      if (delay === null || policy.signal?.aborted) throw error
      await sleep(delay, policy.signal)
    }
  }
}
