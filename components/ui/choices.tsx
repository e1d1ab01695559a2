'use client'

import { useId } from 'react'
import { useAnswer } from './answer'

export interface Choice {
  value: string
  label: string
  hint?: string
}

interface ChoicesProps {
  legend: string
  /** The boxes are named `name:value`; an error for `name` is shown with the group. */
  name: string
  hint?: string
  choices: Choice[]
  /** The values that are ticked initially. */
  ticked?: string[]
  /** Shows the labels in a monospace font, for codes. */
  mono?: boolean
  /** One of several groups under one name. Their error is shown once, outside the groups. */
  isPart?: boolean
}

/** A group of checkboxes with hints. Keeps its ticks when the form is refused. */
export function Choices({
  legend,
  name,
  hint,
  choices,
  ticked = [],
  mono = false,
  isPart = false,
}: ChoicesProps) {
  const id = useId()
  const { status, errors, values } = useAnswer()
  const error = isPart ? undefined : errors[name]
  const isTicked = (value: string) =>
    status === 'failed' ? `${name}:${value}` in values : ticked.includes(value)
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      {hint ? <p className="mb-1 text-sm text-soft">{hint}</p> : null}
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {choices.map(({ value, label, hint: description }) => (
          <li key={value} className="flex min-w-0 items-start gap-3">
            <input
              id={`${id}-${value}`}
              type="checkbox"
              name={`${name}:${value}`}
              defaultChecked={isTicked(value)}
              aria-invalid={error ? true : undefined}
              aria-describedby={
                [description ? `${id}-${value}-hint` : '', error ? `${id}-error` : '']
                  .filter(Boolean)
                  .join(' ') || undefined
              }
              className="mt-0.5 size-5 shrink-0 accent-accent"
            />
            <div className="min-w-0">
              <label
                htmlFor={`${id}-${value}`}
                className={`block text-sm font-semibold wrap-anywhere ${mono ? 'font-mono' : ''}`}
              >
                {label}
              </label>
              {description ? (
                <p id={`${id}-${value}-hint`} className="text-sm text-soft">
                  {description}
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      {error ? (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
