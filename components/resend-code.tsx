'use client'

import { useActionState, useEffect, useState } from 'react'
import type { Lost } from './connection/failures'
import { buttonClass } from './ui/button-class'
import { type FormState, idleForm } from './ui/form-state'
import { useKeptInput } from './ui/keep-input'

/** The result of a request for another code. `wait`: seconds until the next request is possible. */
export interface Resent {
  wait: number
}

/** What to do when there is no answer: the button is the one to try again with, and each press asks for another code. */
const resendMessages: Record<Lost, string> = {
  not_sent: "Not sent. Beak can't be reached. Try again when you're back online.",
  no_answer: 'No answer came back. Look for a code in your inbox before you ask for another one.',
  refused: 'Too many requests. Wait a minute, then try again.',
  busy: 'Your first attempt is still running. Look for a code in your inbox.',
  broken: 'Something went wrong on our side. Try again.',
  outdated: 'Beak was updated while this page was open. Reload the page.',
}

interface ResendCodeProps {
  action: (state: FormState<Resent>, form: FormData) => Promise<FormState<Resent>>
  /** Seconds until another code can be requested, when the page was rendered. */
  wait: number
  /** Hidden fields of the form. */
  children?: React.ReactNode
}

/** A button that requests another code, with a countdown until that is possible. Screen readers hear the waiting time only once. */
export function ResendCode({ action, wait, children }: ResendCodeProps) {
  const [state, submit, isPending] = useActionState(
    useKeptInput(action, false),
    idleForm as FormState<Resent>,
  )
  const left = useCountdown(state.data?.wait ?? wait, state.turn)
  const isWaiting = left > 0
  return (
    <form
      action={submit}
      onSubmit={isWaiting || isPending ? (event) => event.preventDefault() : undefined}
      className="grid gap-1"
    >
      {children}
      <button
        type="submit"
        aria-disabled={isWaiting || isPending}
        className={buttonClass('quiet', '-ms-1 justify-self-start tabular-nums aria-disabled:text-soft')}
      >
        {isPending ? 'Sending…' : 'Send a new code'}
        {isWaiting && !isPending ? (
          <span className="font-normal noscript:hidden">
            <span className="visually-hidden">(available 30 seconds after the last code)</span>
            <span aria-hidden="true">in {left} s</span>
          </span>
        ) : null}
      </button>
      <p role="status" className={`text-sm ${state.status === 'failed' ? 'text-bad' : 'text-good'}`}>
        {state.lost === undefined ? state.message : resendMessages[state.lost]}
      </p>
    </form>
  )
}

/** Counts seconds down to zero. A new `turn` starts again. */
function useCountdown(seconds: number, turn: number): number {
  const [left, setLeft] = useState(seconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn restarts the countdown, even with the same seconds
  useEffect(() => {
    const end = performance.now() + seconds * 1000
    setLeft(seconds)
    if (seconds <= 0) return
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [seconds, turn])
  return left
}
