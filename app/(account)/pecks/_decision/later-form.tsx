'use client'

import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { useFormStatus } from 'react-dom'
import { useShortcuts } from '@/app/_shell/shortcuts/use-shortcuts'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { inZone } from '@/components/ui/time-words'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { snoozePeck } from './actions'
import type { DecisionFormProps } from './decision-props'
import { ReportOutcome } from './report-outcome'
import { snoozeChoices } from './snooze-choices'

interface LaterFormProps extends DecisionFormProps {
  /** Opens the choices. */
  button: RefObject<HTMLElement | null>
  isOnItsPage: boolean
}

/** Puts off the answer. The choices open above the bar, and are made anew each time, because a page may stay open for hours. */
export function LaterForm({ button, isOnItsPage, ...request }: LaterFormProps) {
  const { peckId, subject, snooze, icons, onDecided } = request
  const [now, setNow] = useState(new Date(snooze.now))
  const choices = snoozeChoices(now, new Date(snooze.expiresAt), snooze.zone)
  useShortcuts(isOnItsPage ? { later: () => button.current?.click() } : {})
  if (choices.length === 0 && snooze.until === null) return null
  return (
    <details
      className="relative"
      onToggle={({ currentTarget: details }) => {
        if (!details.open) return
        setNow(readClock())
        details.querySelector('button')?.focus()
      }}
      onKeyDown={closeOnEscape}
      onBlur={closeOnLeave}
    >
      <summary
        ref={(element) => {
          button.current = element
        }}
        className={buttonClass(
          'plain',
          'h-full min-h-12 w-full cursor-pointer list-none px-2! [&::-webkit-details-marker]:hidden',
        )}
      >
        {icons.later} {m.decision_later()}
      </summary>
      <div className="absolute start-0 bottom-full z-20 mb-2 w-max max-w-[80vw] rounded-control border border-line bg-surface p-1.5 shadow-card">
        <ActionForm
          action={snoozePeck}
          label={m.decision_answer_later_subject({ subject })}
          className="gap-0.5!"
        >
          <input type="hidden" name="peck_id" value={peckId} />
          {choices.map(({ label, until }) => (
            <ChoiceButton key={label} until={until} label={label} detail={inZone(until, snooze.zone)} />
          ))}
          {snooze.until !== null ? (
            <ChoiceButton until="" label={m.decision_now()} detail={m.decision_back_to_the_inbox()} />
          ) : null}
          <ReportOutcome onDecided={onDecided} />
        </ActionForm>
      </div>
    </details>
  )
}

function ChoiceButton({ until, label, detail }: { until: string; label: string; detail: string }) {
  const { pending } = useFormStatus()
  return (
    <button
      type="submit"
      name="until"
      value={until}
      aria-disabled={pending}
      className={buttonClass('quiet', 'w-full justify-between! gap-x-6 px-3 font-normal!')}
    >
      <span className="font-semibold">{label}</span>
      <span className="text-sm text-soft tabular-nums">{detail}</span>
    </button>
  )
}

function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  if (event.key !== 'Escape' || !event.currentTarget.open) return
  event.currentTarget.open = false
  event.currentTarget.querySelector('summary')?.focus()
}

/** A click beside the choices closes them. While one is being sent, the focus may be nowhere. */
function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.open = false
}
