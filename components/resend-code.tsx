'use client'

import { useActionState, useEffect, useState } from 'react'
import { m } from '@/lib/kernel/messages'
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
  get not_sent() {
    return m.common_resend_unreachable()
  },
  get no_answer() {
    return m.common_resend_no_answer()
  },
  get refused() {
    return m.common_resend_rate_limited()
  },
  get busy() {
    return m.common_resend_still_running()
  },
  get broken() {
    return m.common_resend_server_error()
  },
  get outdated() {
    return m.common_resend_outdated_page()
  },
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
        {isPending ? m.common_sending() : m.common_send_a_new_code()}
        {isWaiting && !isPending ? (
          <span className="font-normal noscript:hidden">
            <span className="visually-hidden">{m.common_available_30_seconds_after_last_code()}</span>
            <span aria-hidden="true">{m.common_in_left_s({ left })}</span>
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
