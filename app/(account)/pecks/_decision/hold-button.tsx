'use client'

import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useFormStatus } from 'react-dom'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { useDecisionPause } from './decision-pause'

/** How long the button must be held (contract G). The fill in app/globals.css takes as long. */
const holdMilliseconds = 1000

interface HoldButtonProps {
  children: ReactNode
  button: Ref<HTMLButtonElement>
  /** Called when assistive technology presses the button, which cannot hold it. */
  onPress: () => void
}

/** Submits its form after it was held for one second, with the pointer, a finger, Enter or Space. Hidden without scripts. */
export function HoldButton({ children, button, onPress }: HoldButtonProps) {
  const { pending } = useFormStatus()
  const pause = useDecisionPause()
  const isStopped = pending || pause.isPaused
  const form = useRef<HTMLFormElement>(null)
  const { isHeld, start, stop } = useHold(() => form.current?.requestSubmit())
  const [wasShort, setWasShort] = useState(false)
  const hintId = useId()

  function hold(pressed: HTMLButtonElement) {
    form.current = pressed.form
    if (!isStopped) start()
  }
  function release() {
    if (stop()) setWasShort(true)
  }
  function pressKey(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (!event.repeat) hold(event.currentTarget)
  }
  function click({ detail }: MouseEvent) {
    if (detail === 0 && !isStopped) onPress()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-disabled={isStopped}
        aria-describedby={pause.reasonId ?? hintId}
        data-held={isHeld || undefined}
        onPointerDown={({ button: which, currentTarget }) => which === 0 && hold(currentTarget)}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onKeyDown={pressKey}
        onKeyUp={release}
        onBlur={release}
        onClick={click}
        onContextMenu={(event) => event.preventDefault()}
        className={buttonClass(
          'danger',
          'relative isolate min-h-12 px-2! touch-manipulation overflow-hidden select-none aria-disabled:opacity-60 noscript:hidden',
        )}
      >
        <span aria-hidden="true" className="hold-fill absolute inset-0 -z-10 bg-bad-wash" />
        {pending
          ? m.decision_approving()
          : isHeld
            ? m.decision_keep_holding()
            : wasShort
              ? m.decision_hold_1_second()
              : children}
      </button>
      <p id={hintId} hidden>
        {m.decision_hold_for_one_second_or_approve()}
      </p>
      {/* Nothing may move below the pointer, so the hint for the eyes is in the button. */}
      <p role="status" className="visually-hidden">
        {wasShort ? m.decision_not_approved_hold_button_for_one() : ''}
      </p>
    </>
  )
}

/** Calls `done` when `start` was not followed by `stop` for one second. `stop` returns whether that was too early. */
function useHold(done: () => void) {
  const [isHeld, setIsHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function stop(): boolean {
    const isEarly = timer.current !== undefined
    clearTimeout(timer.current)
    timer.current = undefined
    setIsHeld(false)
    return isEarly
  }
  function start(): void {
    stop()
    setIsHeld(true)
    timer.current = setTimeout(() => {
      stop()
      done()
    }, holdMilliseconds)
  }
  return { isHeld, start, stop }
}
