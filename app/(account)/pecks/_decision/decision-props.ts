/** What the forms of a decision need to know about the request. */
import type { ReactNode } from 'react'
import type { ApproveWords } from '../_peck/request-words'
import type { BarValues } from './bar-values'
import type { Outcome } from './outcome'

/** What the choices of a later answer depend on. */
interface Snooze {
  /** Milliseconds since 1970. */
  now: number
  expiresAt: string
  zone: string | null
  /** When the request comes back. Null: it is in the inbox. */
  until: string | null
}

export interface DecisionProps {
  peckId: string
  /** The action in words, for the labels of the forms: "send mail". */
  subject: string
  /** Who asks, in the bar of a high risk: the name, and what tells the asker from others. */
  asker: { name: string; who: string }
  /** What the bar repeats of the values. Null: nothing. */
  barValues: BarValues | null
  /** Who can be blocked with a rejection; null for the viewer's own agent. */
  blockableName: string | null
  lifetimes: { value: string; label: string }[]
  /** `missing`: a passkey is needed, and the viewer has none. `offered`: a low risk, whose approval needs no signature. */
  passkey: 'none' | 'offered' | 'optional' | 'required' | 'missing'
  /** Only the approver of the viewer may approve. Null: any way that `passkey` allows. */
  approver: { origin: string; viewer: string } | null
  /** The service that will act shows a code, and the passkey signs what was typed. `shownBy`: its host name. Null: no code. */
  code: { shownBy: string | null } | null
  isHighRisk: boolean
  /** An amount can be read in two ways. */
  isUnclear: boolean
  /** What happens on approval, for the button of a high risk. */
  approveWords: ApproveWords
  /** The page of this request needs no link to itself. */
  isOnItsPage?: boolean
  snooze: Snooze
  /** The page that makes a rule from the request. Null: no rule could answer it. */
  rulePath: string | null
  /** Three letters when the request has an amount: the currency in which the viewer can name a lower one. */
  currency: string | null
  /** Whether the request asks for more than one use. */
  hasManyUses: boolean
  icons: { approve: ReactNode; reject: ReactNode; later: ReactNode; passkey: ReactNode }
}

export interface DecisionFormProps extends Omit<DecisionProps, 'isOnItsPage'> {
  onDecided: (outcome: Outcome) => void
}
