'use client'

import {
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { m } from '@/lib/kernel/messages'
import { KeptText } from '../kept-text'
import { useAnswer } from './answer'

const control =
  'w-full min-h-11 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-soft aria-invalid:border-bad'

export interface FieldProps {
  label: ReactNode
  name: string
  hint?: ReactNode
}

function useField({ name, hint, fault }: { name: string; hint?: ReactNode; fault?: string }) {
  const id = useId()
  const { errors, values } = useAnswer()
  const error = errors[name] ?? fault
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
  label: ReactNode
  hint?: ReactNode
  error?: string
  optional?: boolean
  children: ReactNode
}) {
  return (
    // Keeps label and control together at the top when a neighbour in the same row is taller.
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold wrap-anywhere">
        {label}
        {optional ? <span className="font-normal text-soft"> {m.common_optional()}</span> : null}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {children}
      {error ? (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          <KeptText text={error} />
        </p>
      ) : null}
    </div>
  )
}

/** A text field with label, hint and error. `fault`: what is wrong with the value, for a form that has no answer of an action. */
export function TextField({
  label,
  name,
  hint,
  fault,
  optional,
  className = '',
  defaultValue,
  ...rest
}: FieldProps & { fault?: string; optional?: boolean } & ComponentProps<'input'>) {
  const { id, error, value, attributes } = useField({ name, hint, fault })
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

/** A text field with several lines. */
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

/** A list to choose one option from. */
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

/** A checkbox. */
export function CheckField({
  label,
  name,
  hint,
  defaultChecked,
  value = 'on',
  ...rest
}: FieldProps & { defaultChecked?: boolean; value?: string } & Pick<
    ComponentProps<'input'>,
    'checked' | 'disabled' | 'onChange'
  >) {
  const { id, error, attributes } = useField({ name, hint })
  const { status, values } = useAnswer()
  return (
    <div className="grid gap-1">
      <div className="flex min-h-6 items-start gap-3">
        <input
          {...attributes}
          type="checkbox"
          value={value}
          // React resets the box to this after an action: a refused form keeps its tick.
          {...('checked' in rest
            ? {}
            : { defaultChecked: status === 'failed' ? name in values : defaultChecked })}
          {...rest}
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
          <KeptText text={error} />
        </p>
      ) : null}
    </div>
  )
}
