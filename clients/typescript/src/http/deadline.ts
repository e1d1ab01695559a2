/** Limits how long something may take. */
import { BeakTimeoutError } from '../errors'

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
