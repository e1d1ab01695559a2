/**
 * The sentence the target decides on, written by the service from facts it knows (contract B). Nothing of the asker's own
 * words goes in: not the message, not the params. An agent's name is a fact too, but chosen freely, so it stands in quotes
 * that it cannot close.
 */

import type { PeckRow } from '@/lib/domain/pecks/rows'
import { quoted } from '@/lib/kernel/quote'

const units = [
  { name: 'day', seconds: 86_400, from: 2 },
  { name: 'hour', seconds: 3600, from: 1 },
  { name: 'minute', seconds: 60, from: 1 },
  { name: 'second', seconds: 1, from: 0 },
]

/** A length of time in the largest unit that fits exactly: "24 hours", "30 days", "90 seconds". */
export function duration(seconds: number): string {
  for (const unit of units) {
    const amount = seconds / unit.seconds
    if (Number.isInteger(amount) && amount >= unit.from)
      return `${amount} ${unit.name}${amount === 1 ? '' : 's'}`
  }
  return `${seconds} seconds`
}

function asker(peck: PeckRow): string {
  const person = `${peck.requesterName} (tier ${peck.requesterTier})`
  return peck.agentName === null ? person : `Agent ${quoted(peck.agentName)} of ${person}`
}

function target(peck: PeckRow): string {
  return peck.requesterDucklingId === peck.targetDucklingId
    ? `its own operator ${peck.targetName}`
    : peck.targetName
}

/** Whether the params of a profile reading ask for the e-mail address: the service itself heeds that, so it is a fact. */
export function asksForEmail(peck: Pick<PeckRow, 'action' | 'params'>): boolean {
  if (peck.action !== 'read:profile') return false
  const { fields } = JSON.parse(peck.params) as { fields?: unknown }
  return Array.isArray(fields) && fields.includes('email')
}

function deed(peck: PeckRow): string {
  const words = peck.action.replace(':', ' ')
  if (peck.action === 'read:profile') return `${words}${asksForEmail(peck) ? ' with the e-mail address' : ''}`
  return peck.params === '{}' ? words : `${words} with the parameters shown`
}

function extent({ scope, grantSeconds }: PeckRow): string {
  if (grantSeconds === null) return 'any number of times until revoked'
  const lasting = duration(grantSeconds)
  if (scope === 'limited') return `once, within ${lasting} of the approval`
  const times = `any number of times for ${lasting} after the approval`
  return scope === 'timed' ? times : `${times}, unless revoked before`
}

/** One sentence: who asks whom, for what, how often and how long, and until when it can be answered. */
export function summarize(peck: PeckRow): string {
  const until = `${peck.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `${asker(peck)} asks ${target(peck)} for permission to ${deed(peck)}, ${extent(peck)}; to be answered by ${until}.`
}
