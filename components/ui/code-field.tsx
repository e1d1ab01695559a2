'use client'

import type { KeyboardEventHandler, Ref } from 'react'
import { m } from '@/lib/kernel/messages'
import { asciiDigits } from '@/lib/kernel/typed/digits'
import { type FieldProps, TextField } from './fields'

interface CodeFieldProps extends Partial<FieldProps> {
  /** `off` for a code that Beak did not send: the browser must not offer codes from messages. */
  autoComplete?: 'one-time-code' | 'off'
  /** Called with the digits after each change. */
  onDigits?: (digits: string) => void
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>
  ref?: Ref<HTMLInputElement>
  /** Focuses the field initially: for pages with no other task. */
  autoFocus?: boolean
}

/**
 * The field for a six-digit code. A single field, so that pasting and autofill work. Reads the digits of every script, and removes everything
 * else from a pasted text. The sixth digit submits the form around it.
 */
export function CodeField({
  label = m.common_six_digit_code(),
  name = 'otp',
  hint,
  autoComplete = 'one-time-code',
  onDigits,
  ...input
}: CodeFieldProps) {
  const digitsIn = ({ value }: HTMLInputElement) =>
    asciiDigits(value)
      .replace(/[^0-9]/g, '')
      .slice(0, 6)
  const read = (field: HTMLInputElement) => {
    const digits = digitsIn(field)
    if (field.value !== digits) field.value = digits
    onDigits?.(digits)
    if (digits.length === 6) field.form?.requestSubmit()
  }
  return (
    <TextField
      label={label}
      name={name}
      hint={hint}
      inputMode="numeric"
      autoComplete={autoComplete}
      // Without scripts the form sends what was typed, and the service reads it.
      pattern="(?:[\s\-]*\p{Nd}){6}\s*"
      onInput={({ currentTarget: field, nativeEvent }) => {
        // When the text changes below an input method that composes, the method inserts its own text a second time.
        const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
        if (!isComposing || field.value === digitsIn(field)) read(field)
      }}
      onCompositionEnd={({ currentTarget: field }) => {
        if (field.value !== digitsIn(field)) read(field)
      }}
      {...input}
      className="max-w-56 font-mono text-xl tracking-[0.4em]"
    />
  )
}
