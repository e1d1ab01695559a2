'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useRef } from 'react'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import type { Change } from '../_live/follow-pecks'
import type { ShownPeck } from '../_peck/reads'
import type { BulkDecision } from './bulk'
import { useRequests } from './detail-pane'
import { type Filters, hasFilters, isTooOld } from './filters'
import { blockable, neighbourOf, type PackedRows, unpackRows } from './rows'
import { type RowDecision, useDecisions } from './use-decisions'
import { useFold, useGroups } from './use-groups'
import { useOutcomes, useUndoable } from './use-outcomes'
import { useCommand, useDialogs, usePressing, useSending } from './use-pressing'
import { useKnownRows, useRows, useSettling, useStable } from './use-rows'
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
  const fold = useFold(groups, open, selected)
  const checking = useChecked(ids, open, fold.reachable)
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

  const decisions = useDecisions(
    { ids, rows, selected, reachable: fold.reachable },
    { listed, findRow, results, requests, selection, undoing, settling, sending, go },
  )
  const { goOnFrom } = decisions

  /** Asks about the selected requests in a dialog. It keeps its rows when they leave the selection, because they are decided. */
  function askAbout(decision: BulkDecision, chosen: string[], isAsBefore = false) {
    const found = chosen.filter((id) => open.has(id) || listed.buffered.some((row) => row.id === id))
    if (found.length === 0)
      return undoing.setUndoable({
        kind: 'rejected',
        ids: [],
        message: m.inbox_these_requests_have_been_answered(),
      })
    dialogs.ask({ kind: 'decide', decision, isAsBefore, rows: found.flatMap((id) => findRow(id) ?? []) })
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
    const to = neighbourOf(ids, from, step, fold.reachable)
    if (from === null || to === null || sending.isSending()) return
    checking.extend(from, to)
    go(to)
  }

  return {
    list: { ...listed, ...checking, groups, open, fold, outcomes: results.outcomes },
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
        if (!isListed || sending.isSending()) return
        const to = neighbourOf(ids, from, step, fold.reachable)
        if (!fold.take(step, to)) go(to)
      },
      neighbour: (step: 1 | -1) => neighbourOf(ids, selected, step, fold.reachable),
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
      onDecided: decisions.onDecided,
    },
    press,
    /** Decides a row that was swiped. Shows the request when a swipe may not. */
    async decideRow(id: string, decision: RowDecision) {
      if (!(await decisions.decideRow(id, decision))) selection.select(id, 'push')
    },
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
      /** Asks about all that is as before. */
      askAsBefore: (chosen: string[]) => askAbout('approve', chosen, true),
      ...decisions.bulk,
    },
    undo: {
      undoable: undoing.undoable,
      onEnd: undoing.endUndo,
      onUndone: decisions.onUndone,
    },
    onChange({ peck_id, status }: Change) {
      if (status !== 'pending') ended.current.add(peck_id)
      results.heard(peck_id, status)
    },
  }
}
