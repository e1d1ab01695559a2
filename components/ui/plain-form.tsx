'use client'

import { type ReactNode, useActionState, useCallback, useRef } from 'react'
import { type FormState, idleForm } from './form-state'
import { useKeptInput, useLost } from './keep-input'
import { LostMessage } from './lost-message'

interface PlainFormProps {
  /** A server action that shows its result by a redirect or a changed page. */
  action: (form: FormData) => Promise<void>
  children: ReactNode
  className?: string
  /** False when the endpoint takes no idempotency key: a repetition is carried out again. */
  countsOnce?: boolean
}

/** A form with no fields to check, such as a single button. Works without JavaScript. Stays when its action gets no answer. */
export function PlainForm({ action, children, className, countsOnce = true }: PlainFormProps) {
  const run = useCallback(
    async (previous: FormState, form: FormData) => {
      await action(form)
      return { ...idleForm, turn: previous.turn + 1 }
    },
    [action],
  )
  const [state, submit, isPending] = useActionState(useKeptInput(run, countsOnce), idleForm as FormState)
  const form = useRef<HTMLFormElement>(null)
  const { lost, isHeld, begin, retry } = useLost(state, form)
  return (
    <form
      ref={form}
      // The server renders the action itself, so that the form works without scripts.
      action={typeof window === 'undefined' ? action : submit}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent
        if (isPending || !begin(event.currentTarget, submitter)) event.preventDefault()
      }}
      className={className}
    >
      {children}
      {lost === null ? null : (
        <div className="mt-3">
          <LostMessage
            key={state.turn}
            lost={lost}
            message={isHeld ? undefined : state.message}
            onRetry={retry}
          />
        </div>
      )}
    </form>
  )
}
