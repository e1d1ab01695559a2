'use client'

import { type ReactNode, useState } from 'react'
import { Link } from '@/components/ui/link'
import { ApproveForm } from './approve-form'
import { useListOutcome } from './list-outcome'
import type { Outcome } from './outcome'
import { OutcomeMessage } from './outcome-message'
import { RejectForm } from './reject-form'

interface DecisionProps {
  peckId: string
  /** The action in words, for the labels of the forms: "Send mail". */
  subject: string
  /** Who can be blocked with a rejection; null for the viewer's own agent. */
  blockableName: string | null
  lifetimes: { value: string; label: string }[]
  /** `missing`: a passkey is needed, and the viewer has none. */
  passkey: 'none' | 'optional' | 'required' | 'missing'
  /** The outcome that the server already knows. */
  outcome?: Outcome | null
  /** The page of this request needs no link to itself. */
  isOnItsPage?: boolean
  icons: { approve: ReactNode; reject: ReactNode }
}

export interface DecisionFormProps extends Omit<DecisionProps, 'outcome' | 'isOnItsPage'> {
  onDecided: (outcome: Outcome) => void
}

/** The forms to approve or reject a request, equally prominent. After the decision, the outcome in their place. */
export function Decision({ outcome: known = null, isOnItsPage = false, ...request }: DecisionProps) {
  const [own, setOwn] = useState<Outcome | null>(null)
  const listed = useListOutcome()
  const outcome = own ?? listed ?? known
  if (outcome) return <OutcomeMessage outcome={outcome} peckId={request.peckId} isOnItsPage={isOnItsPage} />
  const { passkey } = request
  return (
    <div className="grid items-start gap-x-3 gap-y-4 sm:grid-cols-[auto_1fr]">
      {passkey === 'optional' || passkey === 'required' ? (
        <p className="col-span-full text-sm text-soft">
          {passkey === 'required' ? 'This approval needs your passkey. ' : ''}
          Your passkey signs exactly this request. Anyone can check the receipt.
        </p>
      ) : null}
      {passkey === 'missing' ? <PasskeyMissing /> : <ApproveForm {...request} onDecided={setOwn} />}
      <RejectForm {...request} onDecided={setOwn} />
    </div>
  )
}

function PasskeyMissing() {
  return (
    <p className="max-w-md text-sm">
      You need a passkey to approve this.{' '}
      <Link href="/security" className="font-semibold underline">
        Add a passkey
      </Link>{' '}
      first. The request stays here.
    </p>
  )
}
