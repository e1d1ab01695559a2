'use client'

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readClock } from '@/lib/kernel/clock'
import { type Outcome, outcomeElsewhere } from '../_decision/outcome'
import { findApproval } from '../_decision/recent-approval'
import type { Change } from '../_live/follow-pecks'
import type { PeckWithDetails } from '../_peck/reads'
import { type BulkDecision, type BulkOutcome, bulkWords, outcomeWords, statusWords } from './bulk'
import { type Filters, isTooOld } from './filters'
import { focusPane, focusRow } from './focus'
import { groupRows, neighbourOf } from './groups'
import type { Shown } from './merge'
import type { InboxRow } from './row'
import type { Undoable } from './undo'
import type { Undone } from './undone'
import { useChecked } from './use-checked'
import { useRequests } from './use-requests'
import { useRows } from './use-rows'
import { useSelection } from './use-selection'
import { useSettling } from './use-settling'

export interface InboxData {
  rows: InboxRow[]
  /** The rows are all waiting requests that match. */
  isWhole: boolean
  filters: Filters
  /** The selected request. Null when the list is empty. */
  first: PeckWithDetails | null
}

/** A key decides nothing for this long after another request was selected: it may have been meant for the one before. */
const settlingMilliseconds = 300

export type InboxState = ReturnType<typeof useInbox>

/** The state of the inbox: the rows, which is selected, what became of those that were decided. */
export function useInbox({ rows, isWhole, filters, first }: InboxData) {
  const pane = useRef<HTMLElement>(null)
  const selectedAt = useRef(0)
  const sending = useRef(0)
  const ended = useRef(new Set<string>())
  const listed = useRows(rows, {
    key: JSON.stringify(filters),
    isWhole,
    isStillPending: ({ id, createdAt }) =>
      !ended.current.has(id) && isTooOld(filters, readClock().getTime() - Date.parse(createdAt)),
  })
  const groups = useGroups(listed.shown)
  const ids = useStable(groups.flatMap((group) => group.rows.map(({ id }) => id)))
  const { outcomes, outcomeOf, open, ...reports } = useOutcomes(listed.shown)
  const { selected, select, latest } = useSelection(ids, first?.peck.peck_id ?? null, filters)
  const requests = useRequests(ids, selected, first)
  const checking = useChecked(ids, open)
  const { undoable, setUndoable, endUndo } = useUndoable()
  const { isSettling: isDecisionSettling, settle } = useSettling()
  const beginSending = useCallback(() => {
    sending.current += 1
    return () => {
      sending.current -= 1
    }
  }, [])

  /** Selects a request, and moves the focus to its row, or on a narrow screen to the request. */
  function go(id: string | null) {
    if (id === null) return
    select(id)
    selectedAt.current = performance.now()
    if (!focusRow(id)) focusPane(pane.current)
  }

  /** Loads the other requests of an asker again: the history that they show has changed. */
  function refreshOthers(decided: string[]) {
    const askers = new Set(rows.flatMap(({ id, asker }) => (decided.includes(id) ? [asker] : [])))
    const others = rows.filter(({ id, asker }) => askers.has(asker) && !decided.includes(id))
    requests.refresh(others.map(({ id }) => id))
  }

  return {
    ...listed,
    ...requests,
    ...checking,
    pane,
    groups,
    ids,
    open,
    outcomes,
    selected,
    isDecisionSettling,
    beginSending,
    /** Opens a request of the list. Not while a decision is being sent: its outcome would be lost with its form. */
    openRow(id: string) {
      if (sending.current === 0) select(id, 'push')
    },
    /** Moves the focus to the selected row when the focus has nowhere else to be. */
    keepFocus() {
      if (document.activeElement === document.body && selected !== null) focusRow(selected)
    },
    /** What became of the selected request, when it is no longer pending. */
    outcome: selected === null ? null : outcomeOf(selected),
    /** Presses a button of the decision. With a high risk, moves the focus to Approve: it is held or confirmed there. */
    press(decision: 'approve' | 'not-now') {
      const button = decisionButton(pane.current, decision)
      const isHigh = rows.find(({ id }) => id === selected)?.risk === 'high'
      if (decision === 'approve' && (isHigh || button?.tagName === 'A')) button?.focus()
      else if (performance.now() - selectedAt.current > settlingMilliseconds) button?.click()
    },
    step(step: 1 | -1) {
      if (sending.current === 0) go(neighbourOf(ids, latest.current, step, open))
    },
    neighbour: (step: 1 | -1) => neighbourOf(ids, selected, step, open),
    onChange({ peck_id, status }: Change) {
      if (status !== 'pending') ended.current.add(peck_id)
      reports.heard(peck_id, status)
    },
    /** After a decision of the viewer: goes on to the next request. */
    onDecided(id: string, outcome: Outcome) {
      if (!isFresh(outcome)) return
      reports.decided([[id, outcome.status === 'approved' ? 'Approved' : 'Rejected']])
      refreshOthers([id])
      const asker = rows.find((row) => row.id === id)?.asker
      const isHidden = (other: string) =>
        outcome.blockedDuckling !== undefined && rows.find((row) => row.id === other)?.asker === asker
      const rest = new Set([...open].filter((other) => other !== id && !isHidden(other)))
      const next = neighbourOf(ids, id, 1, rest) ?? neighbourOf(ids, id, -1, rest)
      // The last request stays, with its own offer to undo.
      if (next === null) return
      setUndoable(noticeOf(outcome, id, rows.find((row) => row.id === id)?.words ?? 'request'))
      go(next)
      // A double click was meant for one request.
      settle()
    },
    onDecidedTogether(results: BulkOutcome[]) {
      const closed = results.filter(({ status }) => status !== 'pending')
      reports.decided(closed.map((result) => [result.peck_id, outcomeWords(result)]))
    },
    /** After all parts of a decision on several requests. */
    onBulkEnded(decision: BulkDecision, results: BulkOutcome[]) {
      const done = results.flatMap(({ outcome, peck_id }) => (outcome === 'decided' ? [peck_id] : []))
      if (done.length === 0) return
      refreshOthers(done)
      setUndoable({ ids: decision === 'approve' ? done : [], message: bulkWords(decision, done.length) })
    },
    undoable,
    endUndo,
    onUndone({ revoked, consumed }: Undone) {
      reports.decided([
        ...revoked.map(({ id }) => [id, 'Undone'] as [string, string]),
        ...consumed.map((id) => [id, 'Used'] as [string, string]),
      ])
    },
  }
}

/** The decision that can be undone: one that was made here, or just before on the page of a request. */
function useUndoable() {
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

/** Returns a button of the decision in the pane, or null while the request is loading or was answered. */
function decisionButton(pane: HTMLElement | null, decision: 'approve' | 'not-now'): HTMLElement | null {
  const bar = pane?.querySelector('[data-decision-bar]')
  const found = bar?.querySelector<HTMLElement>(`[data-decision="${decision}"]`) ?? null
  return decision === 'not-now'
    ? found
    : (found ?? bar?.querySelector<HTMLElement>('form:last-of-type button') ?? null)
}

/** Whether the viewer has just decided. Otherwise the answer says that the request was no longer pending. */
function isFresh({ status, message }: Outcome): boolean {
  return (status === 'approved' || status === 'rejected') && message !== outcomeElsewhere(status).message
}

/** What the list says after a decision, because the next request takes the place of the one that was decided. */
function noticeOf({ status, message, blockedDuckling }: Outcome, id: string, words: string): Undoable {
  if (status === 'approved') return { ids: [id], message: `Approved: ${words}.` }
  if (blockedDuckling) return { ids: [], message, blocked: blockedDuckling.id }
  return { ids: [], message: message === 'Rejected.' ? `Rejected: ${words}.` : message }
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

/** What became of the requests that are no longer pending, in words, and those that are still open. */
function useOutcomes(shown: Shown<InboxRow>[]) {
  const [own, setOwn] = useState<Record<string, string>>({})
  const [heard, setHeard] = useState<Record<string, string>>({})
  return useMemo(() => {
    const gone = shown.filter(({ item, isGone }) => isGone || own[item.id] !== undefined)
    const outcomes = Object.fromEntries(
      gone.map(({ item: { id } }) => [id, own[id] ?? statusWords(heard[id] ?? '')]),
    )
    return {
      outcomes,
      outcomeOf(id: string): Outcome | null {
        if (outcomes[id] === undefined) return null
        const elsewhere = outcomeElsewhere(heard[id] ?? '')
        return own[id] === undefined ? elsewhere : { ...elsewhere, message: `${own[id]}.` }
      },
      open: new Set(shown.flatMap(({ item: { id } }) => (outcomes[id] === undefined ? [id] : []))),
      heard: (id: string, status: string) => setHeard((all) => ({ ...all, [id]: status })),
      decided: (results: [id: string, words: string][]) =>
        setOwn((all) => ({ ...all, ...Object.fromEntries(results) })),
    }
  }, [shown, own, heard])
}
