'use client'

import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useActionState,
  useContext,
  useEffect,
  useId,
  useRef,
} from 'react'
import { type FormState, idleForm } from '@/app/_web/form'
import { FormMessage } from './form-message'
import { useProof } from './proof'

export { SubmitButton } from './submit-button'

const Answer = createContext<FormState>(idleForm)

/** The latest answer to the form around: for what is shown only once something came of it. */
export function useAnswer<T>(): FormState<T> {
  return useContext(Answer) as FormState<T>
}

interface ActionFormProps<T> {
  /** A server action: (previous state, form) → state. */
  action: (state: FormState<T>, form: FormData) => Promise<FormState<T>>
  children: ReactNode
  className?: string
  /** Replaces the form once it has succeeded. */
  after?: (state: FormState<T>) => ReactNode
  /** Clears the fields after a success. */
  resets?: boolean
  label?: string
}

/**
 * A form that says what is wrong beside the field and keeps what was typed. Works without JavaScript; with it, the first field
 * at fault gets the focus, and the sentence for the whole form is read out. An action that needs a passkey is sent again after
 * the passkey has confirmed the session.
 */
export function ActionForm<T>({
  action,
  children,
  className = '',
  after,
  resets = false,
  label,
}: ActionFormProps<T>) {
  const [state, submit, isPending] = useActionState(action, idleForm as FormState<T>)
  const form = useRef<HTMLFormElement>(null)
  const proof = useProof(state, form)
  const isStopped = proof.step.at === 'stopped'
  useEffect(() => {
    if (state.turn === 0) return
    if (state.status === 'failed') {
      // The prompt for the passkey has the focus then, or takes it.
      if (state.needs === 'passkey' && !isStopped) return
      const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      ;(invalid ?? form.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus()
    } else if (resets) form.current?.reset()
  }, [state, resets, isStopped])
  if (state.status === 'succeeded' && after) return <>{after(state)}</>
  return (
    <Answer value={state}>
      <form
        ref={form}
        action={submit}
        // Sent once: a second press while the first is under way would be a second try.
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent
          if (isPending || !proof.remember(event.currentTarget, submitter)) event.preventDefault()
        }}
        className={`grid gap-5 ${className}`}
        noValidate
        aria-label={label}
      >
        {children}
        <FormMessage state={state} proof={proof.step} onConfirm={proof.confirm} />
      </form>
    </Answer>
  )
}

const control =
  'w-full min-h-11 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-soft aria-invalid:border-bad'

interface FieldProps {
  label: string
  name: string
  hint?: ReactNode
}

function useField({ name, hint }: { name: string; hint?: ReactNode }) {
  const id = useId()
  const { errors, values } = useContext(Answer)
  const error = errors[name]
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return {
    id,
    error,
    value: values[name],
    attributes: {
      id,
      name,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': described || undefined,
    } as const,
  }
}

function Labelled({
  id,
  label,
  hint,
  error,
  optional,
  children,
}: {
  id: string
  label: string
  hint?: ReactNode
  error?: string
  optional?: boolean
  children: ReactNode
}) {
  return (
    // Beside a taller field its parts stay together, at the top.
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
        {optional ? <span className="font-normal text-soft"> (optional)</span> : null}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {children}
      {error ? (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** A line of text with its label, hint and error. */
export function TextField({
  label,
  name,
  hint,
  optional,
  className = '',
  defaultValue,
  ...rest
}: FieldProps & { optional?: boolean } & InputHTMLAttributes<HTMLInputElement>) {
  const { id, error, value, attributes } = useField({ name, hint })
  return (
    <Labelled id={id} label={label} hint={hint} error={error} optional={optional}>
      <input
        {...attributes}
        defaultValue={value ?? defaultValue}
        className={`${control} ${className}`}
        required={!optional}
        {...rest}
      />
    </Labelled>
  )
}

/** Several lines of text. */
export function TextArea({
  label,
  name,
  hint,
  optional,
  defaultValue,
  ...rest
}: FieldProps & { optional?: boolean } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, error, value, attributes } = useField({ name, hint })
  return (
    <Labelled id={id} label={label} hint={hint} error={error} optional={optional}>
      <textarea
        {...attributes}
        defaultValue={value ?? defaultValue}
        rows={4}
        className={control}
        required={!optional}
        {...rest}
      />
    </Labelled>
  )
}

/** One of a few. */
export function SelectField({
  label,
  name,
  hint,
  children,
  defaultValue,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, error, value, attributes } = useField({ name, hint })
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <select {...attributes} key={value} defaultValue={value ?? defaultValue} className={control} {...rest}>
        {children}
      </select>
    </Labelled>
  )
}

/** Yes or no. */
export function CheckField({
  label,
  name,
  hint,
  defaultChecked,
  value = 'on',
}: FieldProps & { defaultChecked?: boolean; value?: string }) {
  const { id, error, attributes } = useField({ name, hint })
  const { status, values } = useContext(Answer)
  return (
    <div className="grid gap-1">
      <div className="flex min-h-6 items-start gap-3">
        <input
          {...attributes}
          type="checkbox"
          value={value}
          // What was ticked stays so when the form is refused: React resets it to this.
          defaultChecked={status === 'failed' ? name in values : defaultChecked}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="ps-8 text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="ps-8 text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
    </div>
  )
}

interface CodeFieldProps extends Partial<FieldProps> {
  /** Sends the form as soon as all six digits are there. */
  submitsItself?: boolean
  /** Has the focus from the start: for pages that are about the code and nothing else. */
  autoFocus?: boolean
}

/**
 * The six digits of a mailed code: one field, so that pasting and the system's autofill just work. What comes with the digits
 * (spaces, the sentence around them) falls away.
 */
export function CodeField({
  label = 'Six-digit code',
  name = 'otp',
  hint,
  submitsItself = false,
  autoFocus,
}: CodeFieldProps) {
  return (
    <TextField
      label={label}
      name={name}
      hint={hint}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\d{6}"
      onInput={({ currentTarget: input }) => {
        const digits = input.value.replace(/\D/g, '').slice(0, 6)
        if (input.value !== digits) input.value = digits
        if (submitsItself && digits.length === 6) input.form?.requestSubmit()
      }}
      autoFocus={autoFocus}
      className="max-w-56 font-mono text-xl tracking-[0.4em]"
    />
  )
}
