'use client'

import { unstable_rethrow } from 'next/navigation'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type Lost, lossOf, lostMessage } from '../connection/failures'
import { recordAnswer } from '../connection/last-change'
import { reachNow } from '../connection/reach'
import { useRefresh } from '../connection/use-refresh'
import { type FormState, submissionField, typedValues } from './form-state'
import { newSubmissionKey, restoreFields, submitAgain } from './restore-fields'

type Action<T> = (previous: FormState<T>, form: FormData) => Promise<FormState<T>>

/**
 * Returns the action of a form in such a way that a failure becomes a state of the form. A failure that React gets to see would replace
 * the whole page. Each submission has a key, which stays the same until a final answer arrives: what is sent twice counts once.
 * `countsOnce`: false for actions whose endpoint takes no key.
 */
export function useKeptInput<T>(action: Action<T>, countsOnce = true): Action<T> {
  const key = useRef('')
  return useMemo(() => {
    // The server renders the action itself, which makes the form work without scripts.
    if (typeof window === 'undefined') return action
    return async (previous, form) => {
      if (countsOnce) {
        key.current ||= newSubmissionKey()
        form.set(submissionField, key.current)
      }
      try {
        const answer = await action(previous, form)
        if (answer.lost === undefined) {
          key.current = ''
          recordAnswer(answer.status !== 'failed')
        }
        return answer
      } catch (error) {
        unstable_rethrow(error)
        return lostState(previous, form, { lost: lossOf(error), message: lostMessage(error, countsOnce) })
      }
    }
  }, [action, countsOnce])
}

/** Keeps the data of the last answer: a form of several steps stays at its step. */
function lostState<T>(
  { needs: _, ...previous }: FormState<T>,
  form: FormData,
  { lost, message }: { lost: Lost; message: string },
): FormState<T> {
  return {
    ...previous,
    status: 'failed',
    message,
    errors: {},
    values: typedValues(form),
    lost,
    turn: previous.turn + 1,
  }
}

interface Sent {
  data: FormData
  submitter: HTMLElement | null
}

/** Notices when a form has no answer, puts back what was typed, and sends the form again. */
export function useLost(state: FormState, form: RefObject<HTMLFormElement | null>) {
  const sent = useRef<Sent>(null)
  const refresh = useRefresh()
  /** The form was not even sent, because the browser is offline. */
  const [isHeld, setIsHeld] = useState(false)

  useEffect(() => {
    setIsHeld(false)
    if (state.lost === undefined) return
    // React has reset the fields.
    if (form.current && sent.current) restoreFields(form.current, typedOnly(form.current, sent.current.data))
    // The service may have done it: read what it knows now.
    if (state.lost === 'no_answer') refresh()
  }, [state, form, refresh])

  /** Remembers a submission. Returns false when it cannot be sent: then the form must keep it. */
  function begin(element: HTMLFormElement, submitter: HTMLElement | null): boolean {
    sent.current = { data: new FormData(element, submitter), submitter }
    const isOffline = reachNow() === 'offline'
    setIsHeld(isOffline)
    return !isOffline
  }

  /** Sends the form with what is in its fields now, and with the proofs that were sent before. */
  function retry(): void {
    if (!form.current || !sent.current) return
    const { data, submitter } = sent.current
    const proofs = emptyHidden(form.current).filter((field) => !field.name.startsWith('$'))
    for (const field of proofs) field.value = String(data.get(field.name) ?? '')
    submitAgain(form.current, submitter)
    for (const field of proofs) field.value = ''
  }

  const lost: Lost | null = isHeld ? 'not_sent' : (state.lost ?? null)
  return { lost, isHeld, begin, retry }
}

const emptyHidden = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (field): field is HTMLInputElement =>
      field instanceof HTMLInputElement && field.type === 'hidden' && field.value === '',
  )

/** Leaves out the hidden fields: a proof for one button must not be sent by another. */
function typedOnly(form: HTMLFormElement, data: FormData): FormData {
  const typed = new FormData()
  const hidden = new Set(emptyHidden(form).map(({ name }) => name))
  for (const [name, value] of data) if (!hidden.has(name)) typed.append(name, value)
  return typed
}
