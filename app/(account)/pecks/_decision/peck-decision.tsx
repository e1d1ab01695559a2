import { Check, X } from 'lucide-react'
import type { Viewer } from '@/app/_web/viewer'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { actionTitle, lifetimeChoices } from '../_peck/words'
import { Decision } from './decision'
import type { Outcome } from './outcome'

export interface PeckDecisionProps extends PeckWithDetails {
  viewer: Viewer
  hasPasskey: boolean
  outcome?: Outcome | null
  isOnItsPage?: boolean
}

/** The decision on a peck, with the choices that this viewer has. */
export function PeckDecision({ peck, details, viewer, hasPasskey, outcome, isOnItsPage }: PeckDecisionProps) {
  const isOwnAgent = peck.requester.duckling_id === viewer.duckling_id
  return (
    <Decision
      peckId={peck.peck_id}
      subject={actionTitle(peck.action)}
      blockableName={isOwnAgent ? null : peck.requester.display_name}
      lifetimes={lifetimeChoices(details.grant_seconds)}
      passkey={passkeyFor(peck, viewer, hasPasskey)}
      outcome={outcome}
      isOnItsPage={isOnItsPage}
      icons={{
        approve: <Check aria-hidden="true" size={18} />,
        reject: <X aria-hidden="true" size={18} />,
      }}
    />
  )
}

function passkeyFor(peck: Peck, viewer: Viewer, hasPasskey: boolean) {
  const isRequired = peck.scope === 'standing' || viewer.require_passkey_for_pecks
  if (isRequired) return hasPasskey ? 'required' : 'missing'
  return hasPasskey ? 'optional' : 'none'
}
