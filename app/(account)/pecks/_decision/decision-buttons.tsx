'use client'

import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useFormStatus } from 'react-dom'
import { type Reach, useReach } from '@/components/connection/reach'
import { type ButtonKind, buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'

export interface DecisionButtons {
  /** A link when a passkey is missing. */
  approve: RefObject<HTMLElement | null>
  reject: RefObject<HTMLButtonElement | null>
  /** Opens the choices of when to answer. Missing when the request expires soon. */
  later: RefObject<HTMLElement | null>
  /** Approving needs more than one press, so a shortcut only moves the focus to the button. */
  isApproveFocused: boolean
}

/** Gives the buttons to the enclosing list. Returns the function that takes them back. */
export const ListButtons = createContext<(buttons: DecisionButtons) => () => void>(() => () => undefined)

/** Takes the place in the bar where the enclosing list says what was decided last. */
export const ListUndo = createContext<(place: HTMLElement | null) => void>(() => undefined)

/** Returns the refs of the buttons, which the enclosing list knows while the decision is shown. */
export function useDecisionButtons(isApproveFocused: boolean): DecisionButtons {
  const approve = useRef<HTMLElement>(null)
  const reject = useRef<HTMLButtonElement>(null)
  const later = useRef<HTMLElement>(null)
  const giveToList = useContext(ListButtons)
  useLayoutEffect(
    () => giveToList({ approve, reject, later, isApproveFocused }),
    [giveToList, isApproveFocused],
  )
  return { approve, reject, later, isApproveFocused }
}

/** Only one decision is shown at a time. */
const reasonId = 'decision-pause'

const reasons: Record<Reach, string> = {
  reached: '',
  get offline() {
    return m.decision_paused_offline()
  },
  get unreachable() {
    return m.decision_paused_unreachable()
  },
}

/** Whether decisions have to wait, and the id of the element that says why. */
function useDecisionPause(): { isPaused: boolean; reasonId?: string } {
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

interface BarButtonProps {
  kind: ButtonKind
  pending: string
  button: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button in the bar of the decision. Fills its cell, so that a thumb hits it. */
export function BarButton({ kind, pending: pendingLabel, button, children }: BarButtonProps) {
  const { pending } = useFormStatus()
  const pause = useDecisionPause()
  return (
    <button
      ref={button}
      type="submit"
      aria-disabled={pending || pause.isPaused}
      aria-describedby={pause.reasonId}
      onClick={(event) => pause.isPaused && event.preventDefault()}
      className={buttonClass(kind, 'min-h-12 px-2! aria-disabled:opacity-60')}
    >
      {pending ? pendingLabel : children}
    </button>
  )
}

/** How long the button must be held. The fill in app/globals.css takes as long. */
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
        {m.decision_hold_button_hint()}
      </p>
      {/* Nothing may move below the pointer, so the hint for the eyes is in the button. */}
      <p role="status" className="visually-hidden">
        {wasShort ? m.decision_hold_too_short() : ''}
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
