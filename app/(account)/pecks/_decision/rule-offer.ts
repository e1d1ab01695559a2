import { isTestRequest } from '@/lib/kernel/test-request'
import { reaches } from '@/lib/kernel/tier'
import type { PeckWithDetails } from '../_peck/reads'
import type { DecidingViewer } from './deciding-viewer'

/**
 * Returns the page that makes a rule from a request, or null where no rule could answer such a request (contract C, Rules). The service decides
 * again when the rule is made.
 */
export function rulePathFor({ peck, details }: PeckWithDetails, viewer: DecidingViewer): string | null {
  const { requester } = peck
  const isOwn = requester.duckling_id === viewer.duckling_id
  const isAnswerable =
    requester.agent_id !== undefined &&
    peck.scope === 'limited' &&
    peck.require === undefined &&
    peck.risk?.level !== 'high' &&
    !isTestRequest(peck) &&
    !details.display.values.some(({ type }) => type === 'secret')
  const isAllowed =
    (isOwn || details.first_contact !== true) &&
    !viewer.require_passkey_for_pecks &&
    viewer.approver?.covers !== 'all' &&
    reaches(viewer.trust_tier, isOwn ? 'T1' : 'T2')
  return isAnswerable && isAllowed ? `/rules/new?peck=${peck.peck_id}` : null
}
