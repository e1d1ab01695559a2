'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Decided, findDecision, type Outcome, outcomeElsewhere } from '../_decision/outcome'
import { statusWords } from './bulk'
import type { InboxRow } from './rows'
import type { Undoable } from './undo-bar'
import type { Shown } from './use-rows'

/** The outcomes of the requests that are no longer pending, in words, and those that are still open. */
export function useOutcomes(shown: Shown<InboxRow>[]) {
  const [own, setOwn] = useState<Record<string, string>>({})
  const [heard, setHeard] = useState<Record<string, string>>({})
  return useMemo(() => {
    const gone = shown.filter(({ item, isGone }) => isGone || own[item.id] !== undefined)
    const outcomes = Object.fromEntries(
      gone.map(({ item: { id } }) => [id, own[id] ?? statusWords(heard[id] ?? '')]),
    )
    return {
      outcomes,
      outcomeOf(id: string | null): Outcome | null {
        if (id === null || outcomes[id] === undefined) return null
        const elsewhere = outcomeElsewhere(heard[id] ?? '')
        return own[id] === undefined ? elsewhere : { ...elsewhere, message: `${own[id]}.` }
      },
      open: new Set(shown.flatMap(({ item: { id } }) => (outcomes[id] === undefined ? [id] : []))),
      /** The service has told the new status of a request. */
      heard: (id: string, status: string) => setHeard((all) => ({ ...all, [id]: status })),
      /** These requests wait for an answer again. */
      reopened: (ids: string[]) =>
        setOwn((all) => Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(id)))),
      /** The viewer has decided these requests here. */
      decided: (results: [id: string, words: string][]) =>
        setOwn((all) => ({ ...all, ...Object.fromEntries(results) })),
    }
  }, [shown, own, heard])
}

/** The decision that can be undone: one that was made here, or just before on the page of a request. */
export function useUndoable() {
  const [undoable, setUndoable] = useState<Undoable | null>(null)
  const endUndo = useCallback(() => setUndoable(null), [])
  useEffect(() => {
    const now = readClock().getTime()
    const found = findDecision(now)
    if (found === null) return
    const seconds = Math.ceil((found.until - now) / 1000)
    const words = { words: found.subject }
    const message = found.kind === 'rejected' ? m.inbox_rejected_words(words) : m.inbox_approved_words(words)
    setUndoable({ kind: found.kind, ids: [found.peckId], message, seconds })
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
