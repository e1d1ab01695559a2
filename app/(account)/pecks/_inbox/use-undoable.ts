'use client'

import { useCallback, useEffect, useState } from 'react'
import { readClock } from '@/lib/kernel/clock'
import type { Decided } from '../_decision/outcome'
import { findApproval } from '../_decision/recent-approval'
import type { Undoable } from './undo'

/** The decision that can be undone: one that was made here, or just before on the page of a request. */
export function useUndoable() {
  const [undoable, setUndoable] = useState<Undoable | null>(null)
  const endUndo = useCallback(() => setUndoable(null), [])
  useEffect(() => {
    const now = readClock().getTime()
    const found = findApproval(now)
    if (found === null) return
    const seconds = Math.ceil((found.until - now) / 1000)
    setUndoable({ ids: [found.peckId], message: `Approved: ${found.subject}.`, seconds })
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
      return { ids: [id], message: `Approved: ${words}.` }
    case 'rejected':
      return { ids: [], message: `Rejected: ${words}.` }
    case 'blocked':
      return { ids: [], message, blocked: decided.duckling.id }
    case 'not_now':
    case 'block_failed':
    case 'unblocked':
      return { ids: [], message }
  }
}
