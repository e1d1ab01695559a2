'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useActionState, useEffect, useRef } from 'react'
import { m } from '@/lib/kernel/messages'
import { KeptText } from '../kept-text'
import { Answer } from './answer'
import { ButtonLink, buttonClass } from './button'
import { DraftNotice, type KeepsDraft, useDraft } from './draft-notice'
import { draftField, type FormState, idleForm } from './form-state'
import { useKeptInput, useLost } from './keep-input'
import { LostMessage } from './lost-message'
import { type ProofStep, useProof } from './proof'

interface FormMessageProps {
  state: FormState
  proof: ProofStep
  /** Opens the passkey prompt again. */
  onConfirm: () => void
}

/** The message for the whole form, and the next step when the action needs a proof first. */
function FormMessage({ state: { status, message, needs }, proof, onConfirm }: FormMessageProps) {
  if (proof.at === 'asking')
    return (
      <p role="status" className="rounded-control bg-accent-wash px-4 py-3 text-sm">
        {m.common_confirm_passkey_prompt()}
      </p>
    )
  if (proof.at === 'stopped')
    return (
      <div className="grid justify-items-start gap-3">
        <p role="alert" tabIndex={-1} className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn">
          {proof.message}
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <button type="button" onClick={onConfirm} className={buttonClass()}>
            {m.common_confirm_with_passkey()}
          </button>
          <ButtonLink href="/docs/people/lost-passkey" kind="quiet">
            {m.common_lost_passkey()}
          </ButtonLink>
        </div>
      </div>
    )
  if (status === 'idle' || message === '') return <p role="status" className="visually-hidden" />
  if (status === 'succeeded')
    return (
      <p role="status" className="rounded-control bg-good-wash px-4 py-3 text-sm text-good">
        <KeptText text={message} />
      </p>
    )
  return (
    <div className="grid justify-items-start gap-3">
      <p role="alert" tabIndex={-1} className="w-full rounded-control bg-bad-wash px-4 py-3 text-sm text-bad">
        <KeptText text={message} />
      </p>
      {needs === 'passkey' ? <NeedsScripts /> : null}
      {needs === 'fresh_sign_in' || needs === 'fresh_code' ? <SignInAgain needs={needs} /> : null}
    </div>
  )
}

/** Explains that passkeys need JavaScript, for browsers without it. */
function NeedsScripts() {
  return (
    <noscript>
      <p className="text-sm">{m.common_passkey_needs_javascript()}</p>
    </noscript>
  )
}

/** A link to sign-in that leads back to this page. */
function SignInAgain({ needs }: { needs: 'fresh_sign_in' | 'fresh_code' }) {
  const path = usePathname()
  const query = useSearchParams().toString()
  const next = query === '' ? path : `${path}?${query}`
  const reason = needs === 'fresh_code' ? 'code' : 'fresh'
  return (
    <ButtonLink href={`/signin?${new URLSearchParams({ reason, next })}`}>
      {needs === 'fresh_code' ? m.common_sign_in_with_a_code() : m.common_sign_in_again()}
    </ButtonLink>
  )
}

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
  keepsDraft?: KeepsDraft
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
        {keepsDraft !== false ? <input type="hidden" name={draftField} defaultValue="" /> : null}
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
