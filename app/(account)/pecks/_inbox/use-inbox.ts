'use client'

import { useCallback, useMemo, useRef } from 'react'
import { readClock } from '@/lib/kernel/clock'
import type { Outcome } from '../_decision/outcome'
import type { Change } from '../_live/follow-pecks'
import type { PeckWithDetails } from '../_peck/reads'
import { type BulkDecision, type BulkOutcome, bulkWords, outcomeWords } from './bulk'
import { type Filters, isTooOld } from './filters'
import { focusPane, focusRow } from './focus'
import { groupRows, neighbourOf } from './groups'
import type { Shown } from './merge'
import type { InboxRow } from './row'
import type { Undone } from './undone'
import { useChecked } from './use-checked'
import { useOutcomes } from './use-outcomes'
import { usePressing } from './use-pressing'
import { useRequests } from './use-requests'
import { useRows } from './use-rows'
import { useSelection } from './use-selection'
import { useSettling } from './use-settling'
import { noticeOf, useUndoable } from './use-undoable'

export interface InboxData {
  rows: InboxRow[]
  /** The rows are all waiting requests that match. */
  isWhole: boolean
  filters: Filters
  /** The selected request. Null when the list is empty. */
  first: PeckWithDetails | null
}

export type InboxState = ReturnType<typeof useInbox>

/** The state of the inbox, in parts: the list, the selected request, the decision on it, and decisions on several requests. */
export function useInbox({ rows, isWhole, filters, first }: InboxData) {
  const ended = useRef(new Set<string>())
  const listed = useRows(rows, {
    key: JSON.stringify(filters),
    isWhole,
    isStillPending: ({ id, createdAt }) =>
      !ended.current.has(id) && isTooOld(filters, readClock().getTime() - Date.parse(createdAt)),
  })
  const groups = useGroups(listed.shown)
  const ids = useStable(groups.flatMap((group) => group.rows.map(({ id }) => id)))
  const results = useOutcomes(listed.shown)
  const { open } = results
  const pane = useRef<HTMLElement>(null)
  const selection = useSelection(ids, first?.peck.peck_id ?? null, filters)
  const { selected } = selection
  const requests = useRequests(ids, selected, first)
  const checking = useChecked(ids, open)
  const undoing = useUndoable()
  const pressing = usePressing()
  const settling = useSettling()
  const sending = useSending()

  /** Selects a request, and moves the focus to its row, or on a narrow screen to the request. */
  function go(id: string | null) {
    if (id === null) return
    selection.select(id)
    pressing.selected()
    if (!focusRow(id)) focusPane(pane.current)
  }

  /** Loads the other requests of an asker again: the history that they show has changed. */
  function refreshOthers(decided: string[]) {
    const askers = new Set(rows.flatMap(({ id, asker }) => (decided.includes(id) ? [asker] : [])))
    const others = rows.filter(({ id, asker }) => askers.has(asker) && !decided.includes(id))
    requests.refresh(others.map(({ id }) => id))
  }

  /** After a decision of the viewer: goes on to the next request. */
  function onDecided(id: string, { decided, message, status }: Outcome) {
    if (decided === undefined) return
    results.decided([[id, status === 'approved' ? 'Approved' : 'Rejected']])
    refreshOthers([id])
    const row = rows.find((one) => one.id === id)
    const isHidden = (other: string) =>
      decided.kind === 'blocked' && rows.find((one) => one.id === other)?.asker === row?.asker
    const rest = new Set([...open].filter((other) => other !== id && !isHidden(other)))
    const next = neighbourOf(ids, id, 1, rest) ?? neighbourOf(ids, id, -1, rest)
    // The last request stays, with its own offer to undo.
    if (next === null) return
    undoing.setUndoable(noticeOf(decided, id, row?.words ?? 'request', message))
    go(next)
    // A double click was meant for one request.
    settling.settle()
  }

  return {
    list: { ...listed, ...checking, groups, open, outcomes: results.outcomes },
    selection: {
      selected,
      ids,
      /** Opens a request of the list. Not while a decision is being sent: its outcome would be lost with its form. */
      openRow(id: string) {
        if (!sending.isSending()) selection.select(id, 'push')
      },
      step(step: 1 | -1) {
        if (!sending.isSending()) go(neighbourOf(ids, selection.latest.current, step, open))
      },
      neighbour: (step: 1 | -1) => neighbourOf(ids, selected, step, open),
    },
    detail: {
      pane,
      loaded: requests.loaded,
      onRetry: requests.retry,
      /** The outcome of the selected request, when it is no longer pending. */
      outcome: results.outcomeOf(selected),
      isSettling: settling.isSettling,
      onSending: sending.begin,
      onButtons: pressing.giveButtons,
      onDecided,
    },
    press: pressing.press,
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
          ids: decision === 'approve' ? done : [],
          message: bulkWords(decision, done.length),
        })
      },
      /** Moves the focus to the selected row when the focus has nowhere else to be. */
      onClosed() {
        if (document.activeElement === document.body && selected !== null) focusRow(selected)
      },
    },
    undo: {
      undoable: undoing.undoable,
      onEnd: undoing.endUndo,
      onUndone({ revoked, consumed }: Undone) {
        results.decided([
          ...revoked.map(({ id }) => [id, 'Undone'] as [string, string]),
          ...consumed.map((id) => [id, 'Used'] as [string, string]),
        ])
      },
    },
    onChange({ peck_id, status }: Change) {
      if (status !== 'pending') ended.current.add(peck_id)
      results.heard(peck_id, status)
    },
  }
}

/** Counts the decisions that are being sent. */
function useSending() {
  const count = useRef(0)
  const begin = useCallback(() => {
    count.current += 1
    return () => {
      count.current -= 1
    }
  }, [])
  return { begin, isSending: () => count.current > 0 }
}

/** Groups rows. The groups that were there before keep their order. */
function useGroups(shown: Shown<InboxRow>[]) {
  const order = useRef<string[]>([])
  return useMemo(() => {
    const groups = groupRows(
      shown.map(({ item }) => item),
      order.current,
    )
    order.current = groups.map(({ asker }) => asker)
    return groups
  }, [shown])
}

/** Returns the same array while its items are the same. */
function useStable(ids: string[]): string[] {
  const latest = useRef(ids)
  if (latest.current.join() !== ids.join()) latest.current = ids
  return latest.current
}
