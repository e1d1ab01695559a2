'use client'

import { type RefCallback, useRef, useState } from 'react'
import { Answer } from '@/components/ui/answer'
import { CodeField } from '@/components/ui/code-field'
import { idleForm } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { isWholeCode, missingDigits } from './code-words'

type TypedCode = ReturnType<typeof useServiceCode>

/** The code that the person types. It is read only when the approval is pressed. */
export function useServiceCode() {
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState('')
  return {
    field,
    error,
    /** Returns the six digits. Without them, says what is missing, moves the focus to the field and returns null. */
    read(): string | null {
      const digits = field.current?.value ?? ''
      if (isWholeCode(digits)) return digits
      setError(missingDigits(digits))
      field.current?.focus()
      return null
    },
    onDigits(digits: string) {
      if (isWholeCode(digits)) setError('')
    },
  }
}

interface ServiceCodeFieldProps {
  /** The host name of the service that shows the code. */
  shownBy: string | null
  typed: TypedCode
  field: RefCallback<HTMLInputElement>
  onEnter: () => void
}

/**
 * The field for the six digits of the service that will act. It belongs to no form: the digits go to the passkey, which signs them, and not
 * into the form of the approval.
 */
export function ServiceCodeField({ shownBy, typed, field, onEnter }: ServiceCodeFieldProps) {
  const { error, onDigits } = typed
  return (
    <div className="max-w-prose">
      <Answer value={{ ...idleForm, errors: error === '' ? {} : { service_code: error } }}>
        <CodeField
          label={
            shownBy === null
              ? m.decision_code_that_service_shows()
              : m.decision_code_that_host_shows({ host: shownBy })
          }
          name="service_code"
          hint={m.decision_service_that_will_act_shows_you()}
          autoComplete="off"
          onDigits={onDigits}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onEnter()
          }}
          ref={(element) => {
            typed.field.current = element
            field(element)
          }}
        />
      </Answer>
      {/* The focus may already be in the field, which then reads no new description. */}
      <p role="alert" className="visually-hidden">
        {error}
      </p>
    </div>
  )
}
