'use client'

import { type Reach, useReach } from '@/components/connection/reach'
import { m } from '@/lib/kernel/messages'

/** Only one decision is shown at a time. */
const reasonId = 'decision-pause'

const reasons: Record<Reach, string> = {
  reached: '',
  get offline() {
    return m.decision_youre_offline_you_can_decide_when()
  },
  get unreachable() {
    return m.decision_beak_cant_be_reached_you_can()
  },
}

/** Whether decisions have to wait, and the id of the element that says why. */
export function useDecisionPause(): { isPaused: boolean; reasonId?: string } {
  return useReach() === 'reached' ? { isPaused: false } : { isPaused: true, reasonId }
}

/** Says why the buttons of a decision are disabled. Takes a row of its own above them. */
export function DecisionPause() {
  const reach = useReach()
  return (
    <p
      id={reasonId}
      className={
        reach === 'reached' ? 'visually-hidden' : 'col-span-full text-sm font-semibold text-warn max-sm:px-2'
      }
    >
      {reasons[reach]}
    </p>
  )
}
