'use client'

import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useState } from 'react'
import { ListDecided, ListSending, useListOutcome } from './list-outcome'
import type { Outcome } from './outcome'
import { Seal } from './seal'

interface Scope {
  outcome: Outcome | null
  setOutcome: (outcome: Outcome) => void
  /** Tells that a form of the request is being sent. Returns the function that ends this. */
  beginSending: () => () => void
  peckId: string
  /** The id whose duck stands for the asker. */
  duckId: string
}

const OutcomeContext = createContext<Scope>({
  outcome: null,
  setOutcome: () => undefined,
  beginSending: () => () => undefined,
  peckId: '',
  duckId: '',
})

interface OutcomeScopeProps extends Pick<Scope, 'peckId' | 'duckId'> {
  /** The outcome that the server already knows. */
  known: Outcome | null
  children: ReactNode
}

/** Surrounds all parts of one request that change with its outcome. A decision made here counts before what the server knows. */
export function OutcomeScope({ known, children, ...request }: OutcomeScopeProps) {
  const [own, setOwn] = useState<Outcome | null>(null)
  // The answer to a form and the reloaded page arrive together. The form reports first, before what the server knows replaces it.
  const [confirmed, setConfirmed] = useState(known)
  useLayoutEffect(() => setConfirmed(known), [known])
  const listed = useListOutcome()
  const report = useContext(ListDecided)
  const tellList = useContext(ListSending)
  const [isSending, setIsSending] = useState(false)
  const beginSending = useCallback(() => {
    const end = tellList()
    setIsSending(true)
    return () => {
      end()
      setIsSending(false)
    }
  }, [tellList])
  // The service tells of a decision made here, too, and may be faster than the answer to the form, which says more.
  const elsewhere = isSending ? null : (listed ?? confirmed)
  return (
    <OutcomeContext
      value={{
        ...request,
        outcome: own ?? elsewhere,
        beginSending,
        setOutcome: (outcome) => {
          setOwn(outcome.status === 'reopened' ? null : outcome)
          if (outcome.status === 'reopened') setConfirmed(null)
          report(request.peckId, outcome)
        },
      }}
    >
      {children}
    </OutcomeContext>
  )
}

/** Returns the outcome of the enclosing request, and the function that changes it. */
export function useOutcome(): Scope {
  return useContext(OutcomeContext)
}

/** The seal of the enclosing request. An approval closes its ring. `size`: in pixels. */
export function RequestSeal({ size }: { size?: number }) {
  const { outcome, peckId, duckId } = useOutcome()
  const isApproved = outcome?.status === 'approved'
  const state = isApproved ? (outcome.isOwn ? 'closing' : 'closed') : 'open'
  return <Seal id={peckId} duckId={duckId} state={state} word="Approved" size={size} />
}
