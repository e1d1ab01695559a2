import { Check, Fingerprint, X } from 'lucide-react'
import type { Viewer } from '@/app/_web/viewer'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { lifetimeChoices } from '../_peck/words'
import { Decision } from './decision'
import { sentenceParts } from './sentence-parts'

export type DecidingViewer = Pick<Viewer, 'duckling_id' | 'require_passkey_for_pecks'>

export interface PeckDecisionProps extends PeckWithDetails {
  viewer: DecidingViewer
  hasPasskey: boolean
  isOnItsPage?: boolean
}

/** The decision on a peck, with the choices that this viewer has. */
export function PeckDecision({ peck, details, viewer, hasPasskey, isOnItsPage }: PeckDecisionProps) {
  const isOwnAgent = peck.requester.duckling_id === viewer.duckling_id
  return (
    <Decision
      peckId={peck.peck_id}
      subject={sentenceParts(details.display.sentence, true).action}
      blockableName={isOwnAgent ? null : peck.requester.display_name}
      lifetimes={lifetimeChoices(details.grant_seconds)}
      passkey={passkeyFor(peck, viewer, hasPasskey)}
      isHighRisk={peck.risk?.level === 'high'}
      isOnItsPage={isOnItsPage}
      icons={{
        approve: <Check aria-hidden="true" size={18} />,
        reject: <X aria-hidden="true" size={18} />,
        passkey: <Fingerprint aria-hidden="true" size={18} />,
      }}
    />
  )
}

function passkeyFor(peck: Peck, viewer: DecidingViewer, hasPasskey: boolean) {
  const isRequired = peck.scope === 'standing' || viewer.require_passkey_for_pecks
  if (isRequired) return hasPasskey ? 'required' : 'missing'
  if (hasPasskey && peck.risk?.level === 'high') return 'required'
  return hasPasskey ? 'optional' : 'none'
}
