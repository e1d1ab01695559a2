/** The decision that the viewer has just made in this tab, so that the inbox can also undo it. */

export interface RecentDecision {
  kind: 'approved' | 'rejected'
  peckId: string
  /** The action in words. */
  subject: string
  /** When the offer to undo it ends, in milliseconds since 1970. */
  until: number
}

const key = 'beak.decision'

// A browser may refuse access to its storage. Then only the page of the request offers to undo it.
function withStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage)
  } catch {
    return null
  }
}

export function rememberDecision(decision: RecentDecision): void {
  withStorage((storage) => storage.setItem(key, JSON.stringify(decision)))
}

export function forgetDecision(): void {
  withStorage((storage) => storage.removeItem(key))
}

/** Returns the decision that can still be undone, or null. */
export function findDecision(now: number): RecentDecision | null {
  const text = withStorage((storage) => storage.getItem(key)) ?? null
  if (text === null) return null
  const decision = JSON.parse(text) as RecentDecision
  return decision.until > now ? decision : null
}
