/**
 * Writes the sentence that the target decides on, from facts that the service knows (contract B). It contains no words of the
 * asker: neither the message nor the params. The operator chooses an agent's name freely, so the name stands in quotes, and
 * characters that could close the quotes are removed.
 */

import type { Params } from '@/lib/domain/pecks/params'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { wantsEmail } from '@/lib/kernel/profile-request'
import { isTestRequest } from '@/lib/kernel/test-request'
import { duration } from '@/lib/kernel/text/duration'
import { isolated } from '@/lib/kernel/text/person-name'
import { quoted } from '@/lib/kernel/text/quote'

function describeAsker(peck: PeckRow): string {
  const person = `${isolated(peck.requesterFullName ?? peck.requesterName)} (tier ${peck.requesterTier})`
  return peck.agentName === null ? person : `Agent ${quoted(peck.agentName)} of ${person}`
}

function describeTarget(peck: PeckRow): string {
  const person = isolated(peck.targetFullName ?? peck.targetName)
  return peck.requesterDucklingId === peck.targetDucklingId ? `its own operator ${person}` : person
}

/** Whether a peck asks for the email address of its target. */
export function asksForEmail({ action, params }: Pick<PeckRow, 'action' | 'params'>): boolean {
  return action === 'read:profile' && wantsEmail(action, JSON.parse(params) as Params)
}

function describeAction(peck: PeckRow): string {
  const words = peck.action.replace(':', ' ')
  if (peck.action === 'read:profile') return `${words}${asksForEmail(peck) ? ' with the email address' : ''}`
  return peck.params === '{}' ? words : `${words} with the parameters shown`
}

function describeExtent({ scope, grantSeconds }: PeckRow): string {
  if (grantSeconds === null) return 'any number of times until revoked'
  const lifetime = duration(grantSeconds)
  if (scope === 'limited') return `once, within ${lifetime} of the approval`
  const times = `any number of times for ${lifetime} after the approval`
  return scope === 'timed' ? times : `${times}, unless revoked before`
}

/** Returns one sentence: who asks whom, for what, how often and how long, and until when the target can answer. */
export function summarize(peck: PeckRow): string {
  const until = `${peck.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (isTestRequest(peck))
    return `A test that Beak sends for ${describeAsker(peck)}, because its operator asked for it. An approval permits nothing; to be answered by ${until}.`
  return `${describeAsker(peck)} asks ${describeTarget(peck)} for permission to ${describeAction(peck)}, ${describeExtent(peck)}; to be answered by ${until}.`
}
