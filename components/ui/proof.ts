'use client'

import { createContext, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import type { FormState } from './form-state'
import { restoreFields, submitAgain } from './restore-fields'

/** The state of the confirmation with a passkey. `stopped` has the reason why it did not happen. */
export type ProofStep = { at: 'idle' } | { at: 'asking' } | { at: 'stopped'; message: string }

const idle: ProofStep = { at: 'idle' }

/**
 * Confirms the session with a passkey. Returns null, or a message that says why the session is not confirmed. The layouts of the pages
 * provide it, because it calls server actions.
 */
export const ConfirmSession = createContext<() => Promise<string | null>>(() =>
  Promise.reject(new Error('No layout provides ConfirmSession.')),
)

/** The last submission, to be repeated after the confirmation. */
interface Sent {
  data: FormData
  submitter: HTMLElement | null
  /** A repetition after a confirmation. When it is refused again, no second prompt opens. */
  isRepeat: boolean
}

/**
 * When an action is refused because it needs a passkey: opens the prompt, confirms the session and submits the same form once more.
 * When the person closes the prompt, the typed values stay.
 */
export function useProof(state: FormState, form: RefObject<HTMLFormElement | null>) {
  const [step, setStep] = useState<ProofStep>(idle)
  const isAsking = useRef(false)
  const isRepeating = useRef(false)
  const sent = useRef<Sent>(null)
  const confirmSession = useContext(ConfirmSession)

  async function confirm(): Promise<void> {
    if (isAsking.current) return
    isAsking.current = true
    setStep({ at: 'asking' })
    const message = await confirmSession().catch(() => m.common_beak_unreachable_nothing_changed())
    isAsking.current = false
    if (message !== null) return setStep({ at: 'stopped', message })
    setStep(idle)
    isRepeating.current = true
    if (form.current) submitAgain(form.current, sent.current?.submitter ?? null)
    isRepeating.current = false
  }

  /** Remembers a submission. Returns false while a prompt is open, because the form must not be submitted then. */
  function remember(element: HTMLFormElement, submitter: HTMLElement | null): boolean {
    if (isAsking.current) return false
    sent.current = { data: new FormData(element, submitter), submitter, isRepeat: isRepeating.current }
    return true
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useEffect(() => {
    setStep(idle)
    if (state.status !== 'failed' || state.needs !== 'passkey' || sent.current === null) return
    // React resets the fields after an action, and the server does not send codes back.
    if (form.current) restoreFields(form.current, sent.current.data)
    if (sent.current.isRepeat) setStep({ at: 'stopped', message: m.common_passkey_asked_again_error() })
    else void confirm()
  }, [state])

  return { step, confirm, remember }
}
