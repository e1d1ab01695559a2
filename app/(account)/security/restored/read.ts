import { read } from '@/app/_web/page-read'
import { type RemovedKind, removedKinds } from '@/lib/kernel/text/removed-words'

/** What the newest undo of a change of address removed and suspended. */
export interface Restored {
  at: string
  removed: Record<RemovedKind, string[]>
  /** The events of settings that were changed and stay. */
  settings: string[]
}

/** Returns the newest undo from the audit log, or null when no change of address was undone. */
export async function findRestored(): Promise<Restored | null> {
  const { items } = await read('GET /beak/audit', {
    query: { action: 'duckling.email_restored', limit: '1' },
  })
  const [event] = items
  if (event === undefined) return null
  // Events of earlier versions have no lists.
  const list = (name: string) => {
    const ids = event.metadata[name]
    return Array.isArray(ids) ? ids.map(String) : []
  }
  return {
    at: event.occurred_at,
    removed: Object.fromEntries(removedKinds.map((kind) => [kind, list(kind)])) as Restored['removed'],
    settings: list('settings'),
  }
}
