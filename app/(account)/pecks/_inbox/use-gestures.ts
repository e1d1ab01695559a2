'use client'

import { type RefObject, useEffect, useRef } from 'react'
import { reasonToOpen } from '@/app/_shell/palette/reason-to-open'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { snoozeChoices } from '../_decision/later-form'
import type { Gestures, SwipeAction, Swipes } from './gestures'
import type { DetailViewer } from './request-detail'
import type { InboxRow } from './rows'
import type { InboxState } from './use-inbox'

/**
 * Lets a finger decide rows of the list: a swipe to the end approves a low risk or what is as before, and shows every other request, a swipe back rejects, a long one
 * puts off, and a long press selects. Nothing of a high risk is approved by a gesture.
 */
export function useGestures(inbox: InboxState, viewer: DetailViewer): RefObject<HTMLDivElement | null> {
  const hint = useRef<HTMLDivElement>(null)
  const latest = useRef<Gestures>(null)
  useEffect(() => {
    latest.current = gesturesOf(inbox, viewer)
  })
  const { list } = inbox.list
  useEffect(() => {
    let stop = () => {}
    let isOver = false
    if (navigator.maxTouchPoints === 0) return
    void import('./gestures').then(({ listenTo }) => {
      const [element, below] = [list.current, hint.current]
      if (isOver || element === null || below === null) return
      stop = listenTo(element, below, () => latest.current as Gestures)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [list])
  return hint
}

function gesturesOf(inbox: InboxState, viewer: DetailViewer): Gestures {
  const { list, selection, decideRow } = inbox
  const find = (id: string) => list.shown.find(({ item }) => item.id === id)?.item
  const untilOf = (row: InboxRow) =>
    snoozeChoices(readClock(), new Date(row.expiresAt), viewer.ownZone ?? viewer.zone)[0]?.until
  return {
    swipesOf(id): Swipes | null {
      const row = find(id)
      if (row === undefined || !list.open.has(id)) return null
      return { forward: forwardOf(row, viewer), hasLater: untilOf(row) !== undefined }
    },
    onSwipe(id: string, action: SwipeAction) {
      const row = find(id)
      if (row === undefined || action === 'open') return selection.openRow(id)
      if (action !== 'later') return void decideRow(id, { kind: action })
      const until = untilOf(row)
      if (until !== undefined) void decideRow(id, { kind: 'later', until })
    },
    onHold: (id) => list.check(id, false),
    words: {
      approve: m.inbox_bulk_approve_button(),
      open: m.inbox_swipe_open(),
      reject: m.inbox_bulk_reject_button(),
      later: m.inbox_later(),
    },
  }
}

/** Returns what a swipe to the end of the line does. The service decides again, and leaves out what it does not allow. */
export function forwardOf(
  row: InboxRow,
  viewer: Pick<DetailViewer, 'require_passkey_for_pecks'>,
): Swipes['forward'] {
  const needsPasskey = row.needsPasskey || viewer.require_passkey_for_pecks
  return (row.risk === 'low' || row.isAsBefore) && reasonToOpen({ ...row, needsPasskey }) === null
    ? 'approve'
    : 'open'
}
