/** What the forms of a decision need to know about the request. */
import type { ReactNode } from 'react'
import type { Outcome } from './outcome'

export interface DecisionProps {
  peckId: string
  /** The action in words, for the labels of the forms: "send mail". */
  subject: string
  /** Who can be blocked with a rejection; null for the viewer's own agent. */
  blockableName: string | null
  lifetimes: { value: string; label: string }[]
  /** `missing`: a passkey is needed, and the viewer has none. */
  passkey: 'none' | 'optional' | 'required' | 'missing'
  isHighRisk: boolean
  /** The page of this request needs no link to itself. */
  isOnItsPage?: boolean
  icons: { approve: ReactNode; reject: ReactNode; passkey: ReactNode }
}

export interface DecisionFormProps extends Omit<DecisionProps, 'isOnItsPage'> {
  onDecided: (outcome: Outcome) => void
}
