'use client'

/** What the inbox does after a decision: on the selected request, on several, and on a row that was swiped. */

import { useRef } from 'react'
import { newSubmissionKey } from '@/components/ui/restore-fields'
import { m } from '@/lib/kernel/messages'
import type { Outcome } from '../_decision/outcome'
import { decideTogether, putOff } from './actions'
import { type BulkDecision, type BulkOutcome, bulkWords, outcomeWords, unreachable } from './bulk'
import type { useRequests } from './detail-pane'
import { type InboxRow, neighbourOf } from './rows'
import type { Undone } from './undone'
import { noticeOf, type useOutcomes, type useUndoable } from './use-outcomes'
import type { useSending } from './use-pressing'
import type { useRows, useSettling } from './use-rows'
import type { useSelection } from './use-selection'

/** What a swipe decides. `until`: when the request comes back. */
export type RowDecision = { kind: 'approve' | 'reject' } | { kind: 'later'; until: string }

interface Lists {
  rows: InboxRow[]
  /** The rows in the order of the list. */
  ids: string[]
  /** The rows that the keys reach. */
  reachable: Set<string>
  selected: string | null
}

interface Parts {
  findRow: (id: string) => InboxRow | undefined
  listed: Pick<ReturnType<typeof useRows>, 'takePlaces'>
  results: ReturnType<typeof useOutcomes>
  requests: Pick<ReturnType<typeof useRequests>, 'refresh'>
  selection: Pick<ReturnType<typeof useSelection>, 'select'>
  undoing: ReturnType<typeof useUndoable>
  settling: ReturnType<typeof useSettling>
  sending: ReturnType<typeof useSending>
  /** Selects a request, and moves the focus to it. */
  go: (id: string | null) => void
}

export function useDecisions({ rows, ids, reachable, selected }: Lists, parts: Parts) {
  const { findRow, listed, results, requests, selection, undoing, settling, sending, go } = parts
  const beingDecided = useRef(new Set<string>())

  /** Loads the other requests of an asker again: the history that they show has changed. */
  function refreshOthers(decided: string[]) {
    const askers = new Set(decided.flatMap((id) => findRow(id)?.asker ?? []))
    const others = rows.filter(({ id, asker }) => askers.has(asker) && !decided.includes(id))
    requests.refresh(others.map(({ id }) => id))
  }

  /** The requests wait for an answer again. */
  function reopen(reopened: string[]) {
    results.reopened(reopened)
    requests.refresh(reopened)
  }

  /** Approvals were undone: their requests wait again, as new ones in the same rows. `by`: the new id of each old one. */
  function askAgain(by: ReadonlyMap<string, string>) {
    listed.takePlaces(by)
    requests.refresh([...by.values()])
    const now = by.get(selected ?? '')
    if (now !== undefined) selection.select(now)
  }

  /** Goes on from a request that has been answered. `blocked`: the person whose requests are hidden. Returns whether there is another. */
  function goOnFrom(id: string, blocked?: string): boolean {
    const isLeft = (other: string) =>
      other !== id && (blocked === undefined || findRow(other)?.ownerId !== blocked)
    const rest = new Set([...reachable].filter(isLeft))
    const next = neighbourOf(ids, id, 1, rest) ?? neighbourOf(ids, id, -1, rest)
    if (next === null) return false
    go(next)
    // A double click was meant for one request.
    settling.settle()
    return true
  }

  /** Carries out what a swipe says. Returns false when the request must be opened: the service decides what a swipe may approve. */
  async function send(id: string, decision: RowDecision): Promise<boolean> {
    const row = findRow(id)
    const words = row?.words ?? ''
    // A medium risk may only be approved while it is as before.
    const isAsBefore = decision.kind === 'approve' && row?.risk !== 'low'
    if (decision.kind === 'later') {
      const answer = await putOff(id, decision.until).catch(() => unreachable)
      if (answer.ok) results.decided([[id, m.inbox_later()]])
      undoing.setUndoable({ kind: 'snoozed', ids: answer.ok ? [id] : [], message: answer.message })
      return true
    }
    const answer = await decideTogether(decision.kind, [id], newSubmissionKey(), isAsBefore).catch(
      () => unreachable,
    )
    const [result] = answer.ok ? answer.data : []
    if (result === undefined || !answer.ok) {
      const message = answer.ok ? unreachable.message : answer.message
      undoing.setUndoable({ kind: 'rejected', ids: [], message })
      return true
    }
    if (result.status === 'pending') return false
    results.decided([[id, outcomeWords(result)]])
    if (result.outcome !== 'decided') return true
    refreshOthers([id])
    const kind = decision.kind === 'approve' ? 'approved' : 'rejected'
    undoing.setUndoable(noticeOf({ kind }, id, words, ''))
    return true
  }

  return {
    goOnFrom,
    /** After a decision of the viewer: goes on to the next request. */
    onDecided(id: string, { decided, message, status, supersededBy }: Outcome) {
      if (status === 'reopened') return reopen([id])
      if (supersededBy !== undefined) return askAgain(new Map([[id, supersededBy]]))
      if (decided === undefined) return
      results.decided([[id, decidedWords(status)]])
      refreshOthers([id])
      const row = findRow(id)
      const isNext = goOnFrom(id, decided.kind === 'blocked' ? row?.ownerId : undefined)
      // The last request stays, with its own offer to undo.
      if (isNext) undoing.setUndoable(noticeOf(decided, id, row?.words ?? 'request', message))
    },
    /** Decides a row that was swiped. Returns false when the request must be opened instead. */
    async decideRow(id: string, decision: RowDecision): Promise<boolean> {
      if (beingDecided.current.has(id)) return true
      beingDecided.current.add(id)
      const end = sending.begin()
      try {
        return await send(id, decision)
      } finally {
        end()
        beingDecided.current.delete(id)
      }
    },
    bulk: {
      onDecided(all: BulkOutcome[]) {
        const closed = all.filter(({ status }) => status !== 'pending')
        results.decided(closed.map((result) => [result.peck_id, outcomeWords(result)]))
      },
      /** After all parts of a decision on several requests. */
      onEnded(decision: BulkDecision, all: BulkOutcome[]) {
        const done = all.flatMap(({ outcome, peck_id }) => (outcome === 'decided' ? [peck_id] : []))
        if (done.length === 0) return
        refreshOthers(done)
        undoing.setUndoable({
          kind: decision === 'approve' ? 'approved' : 'rejected',
          ids: done,
          message: bulkWords(decision, done.length),
        })
      },
    },
    onUndone({ again, revoked, consumed, reopened }: Undone) {
      reopen(reopened)
      if (again.length > 0) askAgain(new Map(again.map(({ id, by }) => [id, by])))
      results.decided([
        ...revoked.map(({ id }) => [id, m.inbox_outcome_revoked()] as [string, string]),
        ...consumed.map((id) => [id, m.inbox_outcome_used()] as [string, string]),
      ])
    },
  }
}

/** Returns a decision of the viewer in a word. */
function decidedWords(status: string): string {
  if (status === 'approved') return m.inbox_outcome_approved()
  return status === 'snoozed' ? m.inbox_later() : m.inbox_outcome_rejected()
}
