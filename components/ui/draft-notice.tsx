'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import { refreshAge } from '../connection/router-fetch'
import {
  type DraftReason,
  dropDraft,
  dropKept,
  keepUnsent,
  rememberLeft,
  restoreDraft,
  storeDraft,
  viewerId,
} from './draft'
import { draftField, type FormState } from './form-state'

/** A document that is replaced so soon after a refresh was probably replaced by the refresh. */
const replacedWithinMs = 15_000

/** Whether a form keeps drafts. `always`: also when nobody is signed in, and when the person reloads or leaves the page. */
export type KeepsDraft = boolean | 'always'

/** Keeps the draft of a form whose submission finds no session, or whose page is replaced, and restores the draft afterwards. */
export function useDraft(state: FormState, form: RefObject<HTMLFormElement | null>, keeps: KeepsDraft) {
  const [isOn, isAlways] = [keeps !== false, keeps === 'always']
  const [restored, setRestored] = useState<DraftReason | null>(null)
  const isTyped = useRef(false)
  const isSending = useRef(false)
  const lost = useRef(state.lost)

  useEffect(() => {
    const element = form.current
    if (!isOn || element === null) return
    const viewer = viewerId() ?? (isAlways ? '' : null)
    const found = restoreDraft(element)
    if (found !== null) {
      isTyped.current = true
      setRestored(found)
    }
    function onType() {
      isTyped.current = true
    }
    /** A submission that runs is not kept: it may have been carried out. */
    function leave(keep: typeof keepUnsent) {
      if (!isTyped.current || isSending.current || element === null) return
      const isUncertain = lost.current !== undefined && !['not_sent', 'refused'].includes(lost.current)
      keep(element, isUncertain ? 'uncertain' : 'unsent', viewer)
    }
    function onHide() {
      if (isAlways || lost.current !== undefined || refreshAge() < replacedWithinMs) leave(keepUnsent)
    }
    /** A phone ends the page of a hidden tab without another event. */
    function onHidden() {
      if (isAlways && document.visibilityState === 'hidden') leave(keepUnsent)
    }
    element.addEventListener('input', onType)
    window.addEventListener('pagehide', onHide)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      element.removeEventListener('input', onType)
      window.removeEventListener('pagehide', onHide)
      document.removeEventListener('visibilitychange', onHidden)
      leave(isAlways ? keepUnsent : rememberLeft)
    }
  }, [form, isOn, isAlways])

  useEffect(() => {
    lost.current = state.lost
    isSending.current = false
    if (state.turn === 0) return
    if (state.status === 'succeeded') isTyped.current = false
    // An answer shows that the session is valid.
    dropDraft()
    setRestored(null)
  }, [state])

  /** Stores what is typed, before it is sent. */
  function store(): void {
    isSending.current = true
    if (isAlways && form.current) dropKept(form.current)
    const field = form.current?.elements.namedItem(draftField)
    if (isOn && form.current && field instanceof HTMLInputElement) field.value = storeDraft(form.current)
  }

  return { restored, store }
}

const notices: Record<DraftReason, string> = {
  get signed_out() {
    return m.common_draft_session_ended_notice()
  },
  get unsent() {
    return m.common_draft_not_sent_notice()
  },
  get uncertain() {
    return m.common_draft_maybe_sent_notice()
  },
}

/** Says that the form was not sent. Takes the focus, so that it is read and in sight. */
export function DraftNotice({ reason }: { reason: DraftReason }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p
      ref={place}
      role="status"
      tabIndex={-1}
      className="rounded-control bg-warn-wash px-4 py-3 text-sm font-semibold text-warn"
    >
      {notices[reason]}
    </p>
  )
}
