'use client'

/** When a request can come back that the viewer answers later. */

import { type RefObject, useState } from 'react'
import { useFormStatus } from 'react-dom'
import { useShortcuts } from '@/app/_shell/shortcuts/use-shortcuts'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm } from '@/components/ui/form'
import { Popup } from '@/components/ui/popup'
import { m } from '@/lib/kernel/messages'
import { hour, minute, readClock } from '@/lib/kernel/runtime/clock'
import { inZone } from '@/lib/kernel/text/time-words'
import { dayAfter, dayOf, timeOn } from '@/lib/kernel/text/time-zone'
import { snoozePeck } from './actions'
import type { DecisionFormProps } from './decision-props'
import { ReportOutcome } from './outcome-scope'

export interface SnoozeChoice {
  /** ISO 8601. */
  until: string
  label: string
}

/** The request comes back so long before it expires, so that there is time to answer. */
const beforeExpirySeconds = 15 * minute
/** A shorter time is no "later". */
const leastSeconds = 15 * minute

const evening = 18
const morning = 8

/** Returns the choices that make sense now: each comes back in time before the request expires. `zone` null: UTC. */
export function snoozeChoices(now: Date, expiresAt: Date, zone: string | null): SnoozeChoice[] {
  const start = now.getTime()
  const clock = zone ?? 'UTC'
  const today = dayOf(now, clock)
  const latest = expiresAt.getTime() - beforeExpirySeconds * 1000
  const wanted = [
    { label: m.decision_in_an_hour(), at: start + hour * 1000 },
    { label: m.decision_this_evening(), at: timeOn(today, evening, clock).getTime() },
    { label: m.decision_tomorrow_morning(), at: timeOn(dayAfter(today), morning, clock).getTime() },
  ].filter(({ at }) => at >= start + hour * 1000)
  const fitting = wanted.filter(({ at }) => at <= latest)
  const isCut = fitting.length < wanted.length && latest - start >= leastSeconds * 1000
  const all = isCut ? [...fitting, { label: m.decision_shortly_before_it_expires(), at: latest }] : fitting
  return all.map(({ label, at }) => ({ label, until: new Date(at).toISOString() }))
}

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
    <Popup
      // On a phone the choices are as wide as the bar.
      className="relative max-sm:static"
      button={(element) => {
        button.current = element
      }}
      buttonClass={buttonClass('plain', 'h-full min-h-12 w-full px-2!')}
      label={
        <>
          {icons.later} {m.decision_later()}
        </>
      }
      onOpen={(popup) => {
        setNow(readClock())
        popup.querySelector('button')?.focus()
      }}
    >
      <div className="absolute start-0 bottom-full z-20 mb-2 w-max max-w-[80vw] rounded-control max-sm:inset-x-3 max-sm:w-auto max-sm:max-w-none border border-line bg-surface p-1.5 shadow-card">
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
    </Popup>
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
