import { permitsNothing } from '@beak/decision/free-text'
import { isolated, personName } from '@beak/decision/person-name'
import { visible } from '@beak/decision/visible'
import { Check, Clock, Fingerprint, X } from 'lucide'
import { ownerWords } from '@/app/_shell/palette/owner-words'
import type { Viewer } from '@/app/_web/viewer'
import { Icon } from '@/components/ui/icon'
import { reaches } from '@/lib/kernel/request/tier'
import type { DisplayValue, Peck, PeckWithDetails, ShownPeck } from '../_peck/reads'
import { lifetimeChoices, requesterName } from '../_peck/words'
import { barValuesOf } from './bar-values'
import { Decision } from './decision'

/** What a decision needs to know about the person who decides. */
export type DecidingViewer = Pick<Viewer, 'duckling_id' | 'require_passkey_for_pecks' | 'trust_tier'> & {
  /** The time zone that the viewer has set. Null: the time zone of the browser. */
  ownZone: string | null
  approver: { origin: string; covers: 'high' | 'all' } | null
}

/**
 * Returns the page that makes a rule from a request, or null where no rule could answer such a request. The service decides
 * again when the rule is made.
 */
function rulePathFor({ peck, details }: PeckWithDetails, viewer: DecidingViewer): string | null {
  const { requester } = peck
  const isOwn = requester.duckling_id === viewer.duckling_id
  const isAnswerable =
    requester.agent_id !== undefined &&
    peck.scope === 'limited' &&
    peck.require === undefined &&
    peck.risk?.level !== 'high' &&
    !permitsNothing(peck.action) &&
    !details.display.values.some(({ type }) => type === 'secret')
  const isAllowed =
    (isOwn || details.first_contact !== true) &&
    !viewer.require_passkey_for_pecks &&
    viewer.approver?.covers !== 'all' &&
    reaches(viewer.trust_tier, isOwn ? 'T1' : 'T2')
  return isAnswerable && isAllowed ? `/rules/new?peck=${peck.peck_id}` : null
}

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
      barValues={barValuesOf(peck.action, details.display.values)}
      blockableName={isOwnAgent ? null : isolated(personName(peck.requester))}
      lifetimes={permitsNothing(peck.action) ? [] : lifetimeChoices(details.grant_seconds)}
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
  if (!hasPasskey) return 'none'
  // A code is only worth something when the passkey signs it.
  return peck.risk?.level === 'low' && peck.code_hash === undefined ? 'offered' : 'optional'
}

const signs: Record<string, string> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', US$: 'USD' }

/** Returns the currency of the first amount, as the service writes amounts: "€4,800.00", "CHF 12.50". Null when it is not clear. */
function currencyOf(values: DisplayValue[]): string | null {
  const amount = values.find(({ type }) => type === 'money')?.text ?? ''
  const [, code, sign = ''] = /^(?:([A-Z]{3}) |(€|£|₹|US\$))/u.exec(amount) ?? []
  return code ?? signs[sign] ?? null
}
