'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import { dropDraft, restoreDraft, storeDraft } from './draft'
import { draftField, type FormState } from './form-state'

/** Keeps the draft of a form whose submission finds no session, and restores the draft after the sign-in. */
export function useDraft(state: FormState, form: RefObject<HTMLFormElement | null>, isOn: boolean) {
  const [isRestored, setIsRestored] = useState(false)
  useEffect(() => {
    if (isOn && form.current && restoreDraft(form.current)) setIsRestored(true)
  }, [form, isOn])
  useEffect(() => {
    // An answer shows that the session is valid.
    if (state.turn > 0) dropDraft()
    if (state.turn > 0) setIsRestored(false)
  }, [state])

  /** Stores what is typed, before it is sent. */
  function store(): void {
    const field = form.current?.elements.namedItem(draftField)
    if (isOn && form.current && field instanceof HTMLInputElement) field.value = storeDraft(form.current)
  }

  return { isRestored, store }
}

/** Says that the form was not sent. Takes the focus, so that it is read and in sight. */
export function DraftNotice() {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p
      ref={place}
      role="status"
      tabIndex={-1}
      className="rounded-control bg-warn-wash px-4 py-3 text-sm font-semibold text-warn"
    >
      Your session ended before this was sent. Your draft is below.
    </p>
  )
}
