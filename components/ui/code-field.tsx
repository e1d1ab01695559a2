'use client'

import { type FieldProps, TextField } from './fields'

interface CodeFieldProps extends Partial<FieldProps> {
  /** Submits the form when the sixth digit is entered. */
  submitsItself?: boolean
  /** Focuses the field initially: for pages with no other task. */
  autoFocus?: boolean
}

/**
 * The field for a six-digit code. A single field, so that pasting and autofill work. Removes everything but digits from a pasted
 * text.
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
