'use client'

/**
 * Whether the browser reaches the service. The browser itself knows only whether it has a network (`navigator.onLine`). A request that
 * fails tells about the service, which is then probed until it answers.
 */
import { useSyncExternalStore } from 'react'
import { withBasePath } from '@/components/base-path'

export type Reach = 'reached' | 'offline' | 'unreachable'

const probeTimeoutMs = 4_000
const firstPauseMs = 500
const longestPauseMs = 5_000
/** A service that answered so recently is not probed before a change is sent. */
const freshMs = 2_000

const listeners = new Set<() => void>()
let isUnreachable = false
/**
 * A probe that began after the browser lost its network was answered, and none has failed since. The browser knows nothing of a service on
 * this machine. Another answer proves nothing: it may have been on its way when the network was lost.
 */
let isProven = false
/** Counts the changes of the network, so that a probe can tell whether one came while it ran. */
let changes = 0
let reported: Reach = 'reached'
let answeredAt = 0
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Returns the state as far as it is known. */
export function reachNow(): Reach {
  if (!navigator.onLine && !isProven) return 'offline'
  return isUnreachable ? 'unreachable' : 'reached'
}

/** Returns the state, also after it changes. The server renders every page as reached. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribe, reachNow, () => 'reached')
}

/** Records that the service has answered. */
export function reportAnswer(): void {
  answeredAt = performance.now()
  setUnreachable(false)
}

/** Returns whether the service can be reached. Asks the service, unless it has just answered. */
export async function isReached(): Promise<boolean> {
  const isFresh = answeredAt > 0 && performance.now() - answeredAt < freshMs
  return (isFresh && reachNow() === 'reached') || probe()
}

/** What a proxy answers when it does not reach the service. */
export const isProxyStatus = (status: number) => [502, 503, 504].includes(status)

/**
 * Asks the service. Afterwards it is known to be reached, or probed again until it is. Hosts may keep `/healthz` from the public, so a
 * refusal is an answer, too.
 */
export async function probe(): Promise<boolean> {
  const begun = changes
  try {
    const answer = await fetch(withBasePath('/healthz'), {
      cache: 'no-store',
      signal: AbortSignal.timeout(probeTimeoutMs),
    })
    if (!isProxyStatus(answer.status)) {
      if (!navigator.onLine && begun === changes) isProven = true
      reportAnswer()
      return true
    }
  } catch {
    // Without an answer, the service is not reached.
  }
  setUnreachable(true)
  return false
}

/** Resolves when the service is reached. */
export function whenReached(): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(check)
    function check() {
      if (reachNow() !== 'reached') return
      stop()
      resolve()
    }
    check()
  })
}

function setUnreachable(next: boolean): void {
  clearTimeout(timer)
  failures = next ? failures + 1 : 0
  if (next) timer = setTimeout(() => void probe(), Math.min(longestPauseMs, firstPauseMs * 2 ** failures))
  isUnreachable = next
  if (next) isProven = false
  if (reachNow() !== reported) report()
}

function report(): void {
  reported = reachNow()
  for (const listener of listeners) listener()
}

function onNetwork(): void {
  changes++
  isProven = false
  // The network may be back before the service is, and a service on this machine needs no network.
  if (!navigator.onLine || isUnreachable) void probe()
  report()
}

/** Calls `listener` after each change, until the returned function is called. */
export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const type of ['online', 'offline']) window.addEventListener(type, onNetwork)
    if (!navigator.onLine && !isProven) void probe()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0)
      for (const type of ['online', 'offline']) window.removeEventListener(type, onNetwork)
  }
}
