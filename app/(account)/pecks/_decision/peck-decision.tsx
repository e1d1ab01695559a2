import { Check, Clock, Fingerprint, X } from 'lucide'
import { ownerWords } from '@/app/_shell/palette/owner-words'
import { Icon } from '@/components/ui/icon'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { visible } from '@/lib/kernel/text/visible'
import type { DisplayValue, Peck, ShownPeck } from '../_peck/reads'
import { lifetimeChoices, requesterName } from '../_peck/words'
import type { DecidingViewer } from './deciding-viewer'
import { Decision } from './decision'
import { rulePathFor } from './rule-offer'

export interface PeckDecisionProps extends ShownPeck {
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
  words,
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
      subject={words.action}
      asker={askerOf(peck, isOwnAgent)}
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
      approveWords={words.approve}
      isOnItsPage={isOnItsPage}
      rulePath={rulePathFor({ peck, details }, viewer)}
      snooze={{
        now: now.getTime(),
        expiresAt: peck.expires_at,
        zone: viewer.ownZone ?? zone,
        until: peck.snoozed_until ?? null,
      }}
      currency={currencyOf(details.display.values)}
      hasManyUses={peck.scope !== 'limited'}
      icons={{
        approve: <Icon of={Check} size={18} />,
        reject: <Icon of={X} size={18} />,
        later: <Icon of={Clock} size={18} />,
        passkey: <Icon of={Fingerprint} size={18} />,
      }}
    />
  )
}

function askerOf({ requester }: Peck, isOwnAgent: boolean) {
  const operator = requester.type === 'duckling' ? null : isOwnAgent ? 'you' : personName(requester)
  const who = ownerWords({ operator, owner: requester, ownerId: requester.duckling_id })
  return { name: requesterName(requester), who }
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
