'use client'

import { useCallback, useRef } from 'react'
import type { DecisionButtons } from '../_decision/decision-buttons'

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
