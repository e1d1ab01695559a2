'use client'

import { type RefCallback, useState } from 'react'
import { useReach } from '@/components/connection/reach'
import { buttonClass } from '@/components/ui/button-class'
import type { DecisionFormProps } from './decision-props'

interface ApproverButtonProps extends Pick<DecisionFormProps, 'peckId' | 'subject' | 'isHighRisk'> {
  approver: NonNullable<DecisionFormProps['approver']>
  readCode: (() => string | null) | null
  button: RefCallback<HTMLButtonElement>
  /** The lifetime is chosen in the fields of this form. */
  formId: string
}

const unreachable = 'Beak could not be reached. Check your connection and try again.'

/** Leaves for the approver, which shows what is really signed. Nothing is approved before it comes back. */
export function ApproverButton({ approver, readCode, button, formId, ...request }: ApproverButtonProps) {
  const { peckId, subject, isHighRisk } = request
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState('')
  const isReached = useReach() === 'reached'
  const label = `Approve on ${new URL(approver.origin).host}`

  async function leave() {
    if (isBusy || !isReached) return
    setMessage('')
    const code = readCode === null ? undefined : readCode()
    if (code === null) return
    setIsBusy(true)
    try {
      const { approveElsewhere } = await import('@/app/_passkeys/approve-elsewhere')
      const { origin, viewer } = approver
      const fault = await approveElsewhere({
        peckId,
        origin,
        viewer,
        code,
        grantExpiresIn: lifetimeIn(formId),
      })
      setMessage(fault ?? '')
    } catch {
      setMessage(unreachable)
    }
    setIsBusy(false)
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-disabled={isBusy || !isReached}
        aria-label={`${label}: ${subject}`}
        onClick={() => void leave()}
        className={buttonClass(isHighRisk ? 'danger' : 'primary', 'min-h-12 px-2! aria-disabled:opacity-60')}
      >
        {label}
      </button>
      <p role="alert" className="order-last col-span-full text-sm text-bad empty:hidden">
        {message}
      </p>
    </>
  )
}

/** Returns the lifetime that the person chose, or an empty text. */
function lifetimeIn(formId: string): string {
  const chosen = document.querySelector<HTMLSelectElement>(
    `select[name="grant_expires_in"][form="${CSS.escape(formId)}"]`,
  )
  return chosen?.value ?? ''
}
