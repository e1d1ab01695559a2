'use client'

import type { KeyboardEventHandler, Ref } from 'react'
import { m } from '@/lib/kernel/messages'
import { type FieldProps, TextField } from './fields'

interface CodeFieldProps extends Partial<FieldProps> {
  /** `off` for a code that Beak did not send: the browser must not offer codes from messages. */
  autoComplete?: 'one-time-code' | 'off'
  /** Called with the digits after each change. */
  onDigits?: (digits: string) => void
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>
  ref?: Ref<HTMLInputElement>
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
  label = m.common_six_digit_code(),
  name = 'otp',
  hint,
  submitsItself = false,
  autoComplete = 'one-time-code',
  onDigits,
  ...input
}: CodeFieldProps) {
  return (
    <TextField
      label={label}
      name={name}
      hint={hint}
      inputMode="numeric"
      autoComplete={autoComplete}
      pattern="\d{6}"
      onInput={({ currentTarget: field }) => {
        const digits = field.value.replace(/\D/g, '').slice(0, 6)
        if (field.value !== digits) field.value = digits
        onDigits?.(digits)
        if (submitsItself && digits.length === 6) field.form?.requestSubmit()
      }}
      {...input}
      className="max-w-56 font-mono text-xl tracking-[0.4em]"
    />
  )
}
