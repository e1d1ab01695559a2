'use client'

import { useCallback, useEffect, useState } from 'react'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import type { Decided } from '../_decision/outcome'
import { findDecision } from '../_decision/recent-decision'
import type { Undoable } from './undo'

/** The decision that can be undone: one that was made here, or just before on the page of a request. */
export function useUndoable() {
  const [undoable, setUndoable] = useState<Undoable | null>(null)
  const endUndo = useCallback(() => setUndoable(null), [])
  useEffect(() => {
    const now = readClock().getTime()
    const found = findDecision(now)
    if (found === null) return
    const seconds = Math.ceil((found.until - now) / 1000)
    const word = found.kind === 'rejected' ? 'Rejected' : 'Approved'
    setUndoable({ kind: found.kind, ids: [found.peckId], message: `${word}: ${found.subject}.`, seconds })
  }, [])
  return { undoable, setUndoable, endUndo }
}

/**
 * Returns what the list says after a decision, because the next request takes the place of the one that was decided. `words`: the action.
 * `message`: what the request itself says.
 */
export function noticeOf(decided: Decided, id: string, words: string, message: string): Undoable {
  switch (decided.kind) {
    case 'approved':
      return { kind: 'approved', ids: [id], message: m.inbox_approved_words({ words }) }
    case 'rejected':
      return { kind: 'rejected', ids: [id], message: m.inbox_rejected_words({ words }) }
    case 'snoozed':
      return { kind: 'snoozed', ids: [id], message }
    case 'blocked':
      return { kind: 'rejected', ids: [], message, blocked: decided.duckling.id }
    case 'block_failed':
    case 'unblocked':
      return { kind: 'rejected', ids: [], message }
  }
}
