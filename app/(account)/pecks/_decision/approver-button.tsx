'use client'

import { type MouseEvent, type ReactNode, type RefCallback, useState } from 'react'
import { useReach } from '@/components/connection/reach'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import type { DecisionFormProps } from './decision-props'

/** A button that leaves for the approver, and why it did not leave. */
interface DepartureButton {
  props: {
    type: 'button'
    'aria-disabled': boolean
    onClick: (event: MouseEvent<HTMLButtonElement>) => void
  }
  /** Empty until a press has failed. */
  fault: ReactNode
}

/** `leave` goes to the approver. It returns why not, or null. Nothing is decided before the approver leads back. */
export function useDeparture(leave: (button: HTMLButtonElement) => Promise<string | null>): DepartureButton {
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState('')
  const isHeld = useReach() !== 'reached' || isBusy

  async function press(button: HTMLButtonElement) {
    setMessage('')
    setIsBusy(true)
    setMessage((await leave(button).catch(() => m.common_unreachable())) ?? '')
    setIsBusy(false)
  }

  return {
    props: {
      type: 'button',
      'aria-disabled': isHeld,
      onClick: ({ currentTarget }) => {
        if (!isHeld) void press(currentTarget)
      },
    },
    fault: (
      <p role="alert" className="order-last col-span-full basis-full text-sm text-bad empty:hidden">
        {message}
      </p>
    ),
  }
}

/** Returns the host of an approver, for buttons. */
export const approverHost = ({ origin }: { origin: string }): string => new URL(origin).host

interface ApproverButtonProps extends Pick<DecisionFormProps, 'peckId' | 'subject' | 'isHighRisk'> {
  approver: NonNullable<DecisionFormProps['approver']>
  readCode: (() => string | null) | null
  button: RefCallback<HTMLButtonElement>
  /** The lifetime is chosen in the fields of this form. */
  formId: string
}

/** Leaves for the approver, which shows what is really signed. Nothing is approved before it comes back. */
export function ApproverButton({ approver, readCode, button, formId, ...request }: ApproverButtonProps) {
  const { peckId, subject, isHighRisk } = request
  const label = m.decision_approve_on_approver({ approver: approverHost(approver) })
  const { props, fault } = useDeparture(async () => {
    const code = readCode === null ? undefined : readCode()
    // The field says what is missing.
    if (code === null) return null
    const { decideElsewhere } = await import('@/app/_passkeys/decide-elsewhere')
    return decideElsewhere({
      approver,
      request: { purpose: 'approve', peck_id: peckId, ...(code === undefined ? {} : { code }) },
      fields: { grant_expires_in: lifetimeIn(formId) },
    })
  })
  return (
    <>
      <button
        {...props}
        ref={button}
        aria-label={`${label}: ${subject}`}
        className={buttonClass(isHighRisk ? 'danger' : 'primary', 'min-h-12 px-2! aria-disabled:opacity-60')}
      >
        {label}
      </button>
      {fault}
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
