'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useRef } from 'react'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import type { Outcome } from '../_decision/outcome'
import type { Change } from '../_live/follow-pecks'
import type { ShownPeck } from '../_peck/reads'
import { type BulkDecision, type BulkOutcome, bulkWords, outcomeWords } from './bulk'
import { useRequests } from './detail-pane'
import { type Filters, hasFilters, isTooOld } from './filters'
import {
  blockable,
  type Group,
  groupRows,
  type InboxRow,
  isMixed,
  neighbourOf,
  type PackedRows,
  unpackRows,
} from './rows'
import type { Undone } from './undone'
import { noticeOf, useOutcomes, useUndoable } from './use-outcomes'
import { useCommand, useDialogs, usePressing, useSending } from './use-pressing'
import { type Shown, useKnownRows, useRows, useSettling, useStable } from './use-rows'
import { focusPane, focusRow, useChecked, useSelection } from './use-selection'

export interface InboxData {
  packed: PackedRows
  /** The rows are all waiting requests that match. */
  isWhole: boolean
  filters: Filters
  /** When the server read them. */
  serverNow: number
  /** The selected request. Null when the list is empty. */
  first: ShownPeck | null
}

export type InboxState = ReturnType<typeof useInbox>

/** The state of the inbox, in parts: the list, the selected request, the decision on it, and decisions on several requests. */
export function useInbox({ packed, isWhole, filters, first, serverNow }: InboxData) {
  const rows = useMemo(() => unpackRows(packed), [packed])
  const ended = useRef(new Set<string>())
  const listed = useRows(rows, {
    key: JSON.stringify(filters),
    isWhole,
    serverNow,
    isStillPending: ({ id, createdAt }) =>
      !ended.current.has(id) && isTooOld(filters, readClock().getTime() - Date.parse(createdAt)),
  })
  const groups = useGroups(listed, filters.sort)
  const findRow = useKnownRows(rows)
  const ids = useStable(groups.flatMap((group) => group.rows.map(({ id }) => id)))
  const results = useOutcomes(listed.shown)
  const { open } = results
  const pane = useRef<HTMLElement>(null)
  const selection = useSelection(ids, listed.isWhole, first?.peck.peck_id ?? null)
  const { selected } = selection
  const requests = useRequests(ids, selected, first)
  const checking = useChecked(ids, open)
  const undoing = useUndoable()
  const pressing = usePressing(() => {
    if (selected !== null) selection.select(selected, 'push')
  })
  const settling = useSettling()
  const sending = useSending()
  const router = useRouter()
  const dialogs = useDialogs(() => {
    // The focus moves to the selected row when it has nowhere else to be.
    if (document.activeElement === document.body && selected !== null) focusRow(selected)
  })

  /** Selects a request, and moves the focus to its row, or on a narrow screen to the request. */
  function go(id: string | null) {
    if (id === null) return
    selection.select(id)
    pressing.selected()
    if (!focusRow(id)) focusPane(pane.current)
  }

  /** Loads the other requests of an asker again: the history that they show has changed. */
  function refreshOthers(decided: string[]) {
    const askers = new Set(decided.flatMap((id) => findRow(id)?.asker ?? []))
    const others = rows.filter(({ id, asker }) => askers.has(asker) && !decided.includes(id))
    requests.refresh(others.map(({ id }) => id))
  }

  /** The requests wait for an answer again. */
  function reopen(ids: string[]) {
    results.reopened(ids)
    requests.refresh(ids)
  }

  /** Approvals were undone: their requests wait again, as new ones in the same rows. `by`: the new id of each old one. */
  function askAgain(by: ReadonlyMap<string, string>) {
    listed.takePlaces(by)
    requests.refresh([...by.values()])
    const now = by.get(selected ?? '')
    if (now !== undefined) selection.select(now)
  }

  /** After a decision of the viewer: goes on to the next request. */
  function onDecided(id: string, { decided, message, status, supersededBy }: Outcome) {
    if (status === 'reopened') return reopen([id])
    if (supersededBy !== undefined) return askAgain(new Map([[id, supersededBy]]))
    if (decided === undefined) return
    results.decided([[id, decidedWords(status)]])
    refreshOthers([id])
    const row = findRow(id)
    const isNext = goOnFrom(id, decided.kind === 'blocked' ? row?.ownerId : undefined)
    // The last request stays, with its own offer to undo.
    if (isNext) undoing.setUndoable(noticeOf(decided, id, row?.words ?? 'request', message))
  }

  /** Goes on from a request that has been answered. `blocked`: the person whose requests are hidden. Returns whether there is another. */
  function goOnFrom(id: string, blocked?: string): boolean {
    const isLeft = (other: string) =>
      other !== id && (blocked === undefined || findRow(other)?.ownerId !== blocked)
    const rest = new Set([...open].filter(isLeft))
    const next = neighbourOf(ids, id, 1, rest) ?? neighbourOf(ids, id, -1, rest)
    if (next === null) return false
    go(next)
    // A double click was meant for one request.
    settling.settle()
    return true
  }

  /** Asks about the selected requests in a dialog. It keeps its rows when they leave the selection, because they are decided. */
  function askAbout(decision: BulkDecision, chosen: string[]) {
    const found = chosen.filter((id) => open.has(id) || listed.buffered.some((row) => row.id === id))
    if (found.length === 0)
      return undoing.setUndoable({
        kind: 'rejected',
        ids: [],
        message: m.inbox_these_requests_have_been_answered(),
      })
    dialogs.ask({ kind: 'decide', decision, rows: found.flatMap((id) => findRow(id) ?? []) })
  }

  function askToBlock() {
    const row = selected === null ? undefined : findRow(selected)
    if (row === undefined || sending.isSending()) return
    if (row.operator === 'you')
      return undoing.setUndoable({
        kind: 'rejected',
        ids: [],
        message: m.inbox_own_agent_reject_error(),
      })
    dialogs.ask({ kind: 'block', duckling: blockable(row) })
  }

  /** Selects a request that the palette names, or opens its page when the list does not have it any more. */
  function showRequest(id: string) {
    if (sending.isSending()) return
    if (ids.includes(id)) selection.select(id, 'push')
    else router.push(`/pecks/${id}`)
  }

  useCommand(listed.isWhole && !hasFilters(filters) && filters.list === '', (command) => {
    if (command.kind === 'block') dialogs.ask(command)
    else if (command.kind === 'select') showRequest(command.id)
    else askAbout(command.decision, command.ids)
  })

  /** Presses a button of the selected request, or asks about the selected requests when there are some. */
  function press(decision: 'approve' | 'reject' | 'later') {
    // Several requests are not put off together.
    if (decision === 'later' || checking.checked.size === 0) return pressing.press(decision)
    askAbout(
      decision,
      ids.filter((id) => checking.checked.has(id)),
    )
  }

  /** Moves to a neighbour and selects the requests on the way. */
  function extend(step: 1 | -1) {
    const from = selection.latest.current
    const to = neighbourOf(ids, from, step, open)
    if (from === null || to === null || sending.isSending()) return
    checking.extend(from, to)
    go(to)
  }

  return {
    list: { ...listed, ...checking, groups, open, outcomes: results.outcomes },
    selection: {
      selected,
      ids,
      isList: selection.isList,
      showList: selection.showList,
      /** Opens a request of the list. Not while a decision is being sent: its outcome would be lost with its form. */
      openRow(id: string) {
        if (!sending.isSending()) selection.select(id, 'push')
      },
      step(step: 1 | -1) {
        const from = selection.latest.current
        // A request that the address names may not be in the list yet.
        const isListed = from === null || ids.includes(from)
        if (isListed && !sending.isSending()) go(neighbourOf(ids, from, step, open))
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
    press,
    isSending: sending.isSending,
    keys: {
      extend,
      check(isRange: boolean) {
        if (selection.latest.current !== null) checking.check(selection.latest.current, isRange)
      },
      block: askToBlock,
      openPage() {
        if (selected !== null && !sending.isSending()) router.push(`/pecks/${selected}`)
      },
    },
    dialogs: {
      ...dialogs,
      onBlocked(message: string) {
        if (dialogs.asked?.kind !== 'block') return
        const { id } = dialogs.asked.duckling
        undoing.setUndoable({ kind: 'rejected', ids: [], message, blocked: id })
        if (selected !== null && findRow(selected)?.ownerId === id) goOnFrom(selected, id)
      },
    },
    bulk: {
      ask: (decision: BulkDecision) =>
        askAbout(
          decision,
          ids.filter((id) => checking.checked.has(id)),
        ),
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
    undo: {
      undoable: undoing.undoable,
      onEnd: undoing.endUndo,
      onUndone({ again, revoked, consumed, reopened }: Undone) {
        reopen(reopened)
        if (again.length > 0) askAgain(new Map(again.map(({ id, by }) => [id, by])))
        results.decided([
          ...revoked.map(({ id }) => [id, m.inbox_outcome_revoked()] as [string, string]),
          ...consumed.map((id) => [id, m.inbox_outcome_used()] as [string, string]),
        ])
      },
    },
    onChange({ peck_id, status }: Change) {
      if (status !== 'pending') ended.current.add(peck_id)
      results.heard(peck_id, status)
    },
  }
}

/** Returns a decision of the viewer in a word. */
function decidedWords(status: string): string {
  if (status === 'approved') return m.inbox_outcome_approved()
  return status === 'snoozed' ? m.inbox_later() : m.inbox_outcome_rejected()
}

/** Groups rows. Once the list is whole, the groups of askers that it has keep their order. Before, the other groups come after them. */
function useGroups({ shown, isWhole }: { shown: Shown<InboxRow>[]; isWhole: boolean }, sort: string) {
  const order = useRef<Group<InboxRow>[]>([])
  return useMemo(() => {
    const rows = shown.map(({ item }) => item)
    const groups = groupRows(rows, sort, order.current)
    order.current = isMixed(sort) || !isWhole ? [] : groups
    return groups
  }, [shown, isWhole, sort])
}
