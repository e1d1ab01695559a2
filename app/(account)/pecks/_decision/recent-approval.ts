/** The approval that the viewer has just given in this tab, so that the inbox can also undo it. */

export interface RecentApproval {
  peckId: string
  /** The action in words. */
  subject: string
  /** When the offer to undo it ends, in milliseconds since 1970. */
  until: number
}

const key = 'beak.approval'

// A browser may refuse access to its storage. Then only the page of the approval offers to undo it.
function withStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage)
  } catch {
    return null
  }
}

export function rememberApproval(approval: RecentApproval): void {
  withStorage((storage) => storage.setItem(key, JSON.stringify(approval)))
}

export function forgetApproval(): void {
  withStorage((storage) => storage.removeItem(key))
}

/** Returns the approval that can still be undone, or null. */
export function findApproval(now: number): RecentApproval | null {
  const text = withStorage((storage) => storage.getItem(key)) ?? null
  if (text === null) return null
  const approval = JSON.parse(text) as RecentApproval
  return approval.until > now ? approval : null
}
