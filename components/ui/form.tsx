'use client'

import { type ReactNode, useActionState, useEffect, useRef } from 'react'
import { Answer } from './answer'
import { DraftNotice, useDraft } from './draft-notice'
import { FormMessage } from './form-message'
import { draftField, type FormState, idleForm } from './form-state'
import { useKeptInput, useLost } from './keep-input'
import { LostMessage } from './lost-message'
import { useProof } from './proof'

export { useAnswer } from './answer'
export { CodeField } from './code-field'
export { CheckField, SelectField, TextArea, TextField } from './fields'
export { SubmitButton } from './submit-button'

interface ActionFormProps<T> {
  /** The server action. */
  action: (state: FormState<T>, form: FormData) => Promise<FormState<T>>
  children: ReactNode
  className?: string
  /** Replaces the form after a success. */
  after?: (state: FormState<T>) => ReactNode
  /** Clears the fields after a success. */
  resets?: boolean
  label?: string
  /** Keeps what was typed when the session has ended, until the next sign-in. For all forms but those with secrets. */
  keepsDraft?: boolean
  /** False when the endpoint takes no idempotency key: a repetition is carried out again. */
  countsOnce?: boolean
  /** For controls outside of the form that belong to it (their `form` attribute). */
  id?: string
}

/**
 * A form that shows errors beside their fields and keeps the typed values. Works without JavaScript. With it, the first invalid field
 * gets the focus. An action that needs a passkey is submitted again after the passkey has confirmed the session. An action that gets no
 * answer leaves the form as it was, with a button to send it again.
 */
export function ActionForm<T>({
  action,
  children,
  className = '',
  after,
  resets = false,
  label,
  keepsDraft = true,
  countsOnce = true,
  id,
}: ActionFormProps<T>) {
  const [state, submit, isPending] = useActionState(
    useKeptInput(action, countsOnce),
    idleForm as FormState<T>,
  )
  const form = useRef<HTMLFormElement>(null)
  const proof = useProof(state, form)
  const draft = useDraft(state, form, keepsDraft)
  const { lost, isHeld, begin, retry } = useLost(state, form)
  const isStopped = proof.step.at === 'stopped'
  useEffect(() => {
    if (state.turn === 0) return
    if (state.status === 'failed') {
      // The passkey prompt has the focus.
      if (state.needs === 'passkey' && !isStopped) return
      const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      ;(invalid ?? form.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus()
    } else if (resets) form.current?.reset()
  }, [state, resets, isStopped])
  if (state.status === 'succeeded' && after) return <>{after(state)}</>
  return (
    <Answer value={state}>
      <form
        id={id}
        ref={form}
        action={submit}
        // A second click while the first submission runs would be a second attempt.
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent
          if (
            isPending ||
            !begin(event.currentTarget, submitter) ||
            !proof.remember(event.currentTarget, submitter)
          )
            event.preventDefault()
          else draft.store()
        }}
        className={`grid gap-5 ${className}`}
        noValidate
        aria-label={label}
      >
        {keepsDraft ? <input type="hidden" name={draftField} defaultValue="" /> : null}
        {draft.restored === null ? null : <DraftNotice reason={draft.restored} />}
        {children}
        {lost === null ? (
          <FormMessage state={state} proof={proof.step} onConfirm={proof.confirm} />
        ) : (
          <LostMessage
            key={state.turn}
            lost={lost}
            message={isHeld ? undefined : state.message}
            onRetry={retry}
          />
        )}
      </form>
    </Answer>
  )
}
