'use client'

import { type ButtonKind, buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { rejectionFault } from './actions'
import { approverHost, useDeparture } from './approver-departure'
import type { DecisionFormProps } from './decision-props'
import { defaultReason } from './default-reason'
import { rejectionFields } from './rejection-terms'

interface RejectElsewhereProps extends Pick<DecisionFormProps, 'peckId' | 'subject'> {
  approver: NonNullable<DecisionFormProps['approver']>
  kind: ButtonKind
}

/**
 * Leaves for the approver to sign a rejection. In a form, with the reason of that form. The reason is not signed: it stays in this tab until the
 * approver leads back.
 */
export function RejectElsewhere({ approver, kind, peckId, subject }: RejectElsewhereProps) {
  const label = m.decision_reject_on_approver({ approver: approverHost(approver) })
  const { props, fault } = useDeparture(async (button) => {
    const fields = fieldsIn(button.form)
    // The service checks the reason only after the way back, when nobody can change it.
    const wrong = await rejectionFault(fields)
    if (wrong !== null) return wrong
    const { decideElsewhere } = await import('@/app/_passkeys/decide-elsewhere')
    return decideElsewhere({ approver, request: { purpose: 'reject', peck_id: peckId }, fields })
  })
  return (
    <>
      <button
        {...props}
        aria-label={`${label}: ${subject}`}
        className={buttonClass(
          kind,
          `aria-disabled:opacity-60 ${kind === 'quiet' ? '-ms-1 justify-start text-start font-normal!' : ''}`,
        )}
      >
        {label}
      </button>
      {fault}
    </>
  )
}

/** Returns the fields of a rejection. Without a form, the reason of a rejection with one click. */
function fieldsIn(form: HTMLFormElement | null): Record<string, string> {
  if (form === null) return { quick: defaultReason }
  const data = new FormData(form)
  return Object.fromEntries(rejectionFields.map((name) => [name, String(data.get(name) ?? '')]))
}
