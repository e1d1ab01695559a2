'use client'

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Blockable, type InboxCommand, onCommand, takeCommand } from '@/app/_shell/palette/commands'
import type { DecisionButtons } from '../_decision/decision-buttons'
import type { BulkDecision } from './bulk'
import type { InboxRow } from './rows'

/** A key decides nothing for this long after another request was selected: it may have been meant for the one before. */
const settlingMilliseconds = 300

/** Lets shortcuts press the buttons of the decision that is shown. `show`: shows the request, when a narrow screen shows the list. */
export function usePressing(show: () => void) {
  const shown = useRef<DecisionButtons>(null)
  // The time counts from the start of the page, and a page can be there in less than the pause.
  const selectedAt = useRef(Number.NEGATIVE_INFINITY)
  const giveButtons = useCallback((buttons: DecisionButtons) => {
    shown.current = buttons
    return () => {
      if (shown.current === buttons) shown.current = null
    }
  }, [])
  return {
    giveButtons,
    /** Another request is selected from now on. */
    selected() {
      selectedAt.current = performance.now()
    },
    /** Presses a button, or moves the focus to Approve when that needs more than one press. */
    press(decision: 'approve' | 'reject' | 'later') {
      const button = shown.current?.[decision].current
      // Nobody decides what is not on the screen.
      if (button && !button.checkVisibility()) return show()
      if (decision === 'approve' && shown.current?.isApproveFocused) button?.focus()
      else if (performance.now() - selectedAt.current > settlingMilliseconds) button?.click()
    },
  }
}

/** Where Undo appears when the decision that is being sent has arrived. */
const button = () => document.querySelector<HTMLElement>('[data-undo]')

const checkMilliseconds = 50
/** A decision that takes longer has failed, or says so itself. */
const waitMilliseconds = 10_000

/** Presses Undo. While a decision is being sent, the key is meant for that decision: presses the Undo that the decision brings. */
export function pressUndo(isSending: () => boolean): void {
  const before = button()
  if (!isSending()) {
    before?.click()
    return
  }
  const end = performance.now() + waitMilliseconds
  const timer = setInterval(() => {
    const found = button()
    const isThere = found !== null && found !== before && !isSending()
    if (isThere || performance.now() > end) clearInterval(timer)
    if (isThere) found.click()
  }, checkMilliseconds)
}

/** Counts the decisions that are being sent. */
export function useSending() {
  const count = useRef(0)
  const begin = useCallback(() => {
    count.current += 1
    return () => {
      count.current -= 1
    }
  }, [])
  return { begin, isSending: () => count.current > 0 }
}

/** Carries out a command of the palette, once `isReady`: the list has all waiting requests. */
export function useCommand(isReady: boolean, run: (command: InboxCommand) => void): void {
  const take = useEffectEvent(() => {
    const command = takeCommand()
    if (command !== null) run(command)
  })
  useEffect(() => {
    if (!isReady) return
    take()
    return onCommand(take)
  }, [isReady])
}

/** The question that the inbox asks in a dialog. */
export type Asked =
  /** `isAsBefore`: only what is still as before is approved. */
  | { kind: 'decide'; decision: BulkDecision; rows: InboxRow[]; isAsBefore?: boolean }
  | { kind: 'block'; duckling: Blockable }

/** The dialog of the inbox. `onClosed`: called after the dialog has gone. */
export function useDialogs(onClosed: () => void) {
  const [asked, ask] = useState<Asked | null>(null)
  const wasOpen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after each dialog
  useEffect(() => {
    if (wasOpen.current && asked === null) onClosed()
    wasOpen.current = asked !== null
  }, [asked])
  return { asked, ask, close: () => ask(null) }
}
