import { Check, Clock, Fingerprint, X } from 'lucide-react'
import type { Viewer } from '@/app/_web/viewer'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { visible } from '@/lib/kernel/text/visible'
import type { DisplayValue, Peck, PeckWithDetails } from '../_peck/reads'
import { lifetimeChoices } from '../_peck/words'
import { approveWords } from './approve-words'
import { Decision } from './decision'
import { sentenceParts } from './sentence-parts'

export type DecidingViewer = Pick<Viewer, 'duckling_id' | 'require_passkey_for_pecks'> & {
  /** The time zone that the viewer has set. Null: that of the browser. */
  ownZone: string | null
  approver: { origin: string; covers: 'high' | 'all' } | null
}

export interface PeckDecisionProps extends PeckWithDetails {
  viewer: DecidingViewer
  hasPasskey: boolean
  isOnItsPage?: boolean
  now: Date
  /** The time zone of the browser. Null: unknown. */
  zone: string | null
}

/** The decision on a peck, with the choices that this viewer has. */
export function PeckDecision({
  peck,
  details,
  viewer,
  hasPasskey,
  isOnItsPage,
  now,
  zone,
}: PeckDecisionProps) {
  const isOwnAgent = peck.requester.duckling_id === viewer.duckling_id
  return (
    <Decision
      peckId={peck.peck_id}
      subject={sentenceParts(details.display.sentence, true).action}
      blockableName={isOwnAgent ? null : isolated(personName(peck.requester))}
      lifetimes={lifetimeChoices(details.grant_seconds)}
      passkey={passkeyFor(peck, viewer, hasPasskey)}
      approver={approverFor(peck, viewer)}
      code={
        peck.code_hash === undefined
          ? null
          : { shownBy: peck.audience === undefined ? null : visible(peck.audience) }
      }
      isHighRisk={peck.risk?.level === 'high'}
      isUnclear={peck.risk?.reasons.some(({ unclear }) => unclear === true) === true}
      approveWords={approveWords(details.display)}
      isOnItsPage={isOnItsPage}
      snooze={{
        now: now.getTime(),
        expiresAt: peck.expires_at,
        zone: viewer.ownZone ?? zone,
        until: peck.snoozed_until ?? null,
      }}
      currency={currencyOf(details.display.values)}
      hasManyUses={peck.scope !== 'limited'}
      icons={{
        approve: <Check aria-hidden="true" size={18} />,
        reject: <X aria-hidden="true" size={18} />,
        later: <Clock aria-hidden="true" size={18} />,
        passkey: <Fingerprint aria-hidden="true" size={18} />,
      }}
    />
  )
}

/** The approver decides what it covers, which the service also demands. */
function approverFor(peck: Peck, { approver, duckling_id: viewer }: DecidingViewer) {
  const isCovered = approver?.covers === 'all' || peck.risk?.level === 'high'
  return approver && isCovered ? { origin: approver.origin, viewer } : null
}

function passkeyFor(peck: Peck, viewer: DecidingViewer, hasPasskey: boolean) {
  const isRequired =
    peck.scope === 'standing' || peck.require === 'signed' || viewer.require_passkey_for_pecks
  if (isRequired) return hasPasskey ? 'required' : 'missing'
  if (hasPasskey && peck.risk?.level === 'high') return 'required'
  return hasPasskey ? 'optional' : 'none'
}

const signs: Record<string, string> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', US$: 'USD' }

/** Returns the currency of the first amount, as the service writes amounts: "€4,800.00", "CHF 12.50". Null when it is not clear. */
function currencyOf(values: DisplayValue[]): string | null {
  const amount = values.find(({ type }) => type === 'money')?.text ?? ''
  const [, code, sign = ''] = /^(?:([A-Z]{3}) |(€|£|₹|US\$))/u.exec(amount) ?? []
  return code ?? signs[sign] ?? null
}
