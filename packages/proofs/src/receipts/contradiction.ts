import { digestOf } from './decision-statement'
import type { AnyFacts } from './policy'
import type { OutcomeFacts } from './verify-outcome'

/**
 * Returns what two valid receipts say that cannot both be true, or null. Both must be signed by a key of the service that you trust: then the
 * service contradicts itself, and whoever has both can show it. Receipts of different requests, and receipts of version 1, are not compared. Of two
 * receipts that were signed in the same second, `one` counts as the earlier.
 */
export function contradictionBetween(one: AnyFacts, other: AnyFacts): string | null {
  if (one.version === 1 || other.version === 1) return null
  if (one.issuer !== other.issuer || one.statement.peck_id !== other.statement.peck_id) return null
  const isInOrder = one.signedAt <= other.signedAt
  return contradictionAfter(isInOrder ? one : other, isInOrder ? other : one)
}

function contradictionAfter(earlier: OutcomeFacts, later: OutcomeFacts): string | null {
  if (earlier.statement.decision !== later.statement.decision)
    return `One says that the request was ${nameOf(earlier)}, the other that it was ${nameOf(later)}.`
  if (earlier.decidedAt !== later.decidedAt)
    return `One says that it was decided at ${earlier.decidedAt}, the other at ${later.decidedAt}.`
  if (digestOf(earlier.statement) !== digestOf(later.statement))
    return 'They have two different statements of the same decision.'
  // Without a decision, and with other values left out, only the outcome counts.
  if (earlier.statement.decision === null)
    return earlier.outcome === later.outcome ? null : `It was ${earlier.outcome}, and ${later.outcome} later.`
  if (later.uses < earlier.uses)
    return `The permission was used ${earlier.uses} times by ${earlier.signedAt}, and ${later.uses} times by ${later.signedAt}.`
  if (later.uses === earlier.uses && later.lastUsedAt !== earlier.lastUsedAt)
    return `One says that use ${earlier.uses} was at ${earlier.lastUsedAt}, the other at ${later.lastUsedAt}.`
  if (earlier.outcome === 'revoked' && (later.outcome !== 'revoked' || earlier.endedAt !== later.endedAt))
    return `The permission was revoked at ${earlier.endedAt}, and ${nameOf(later)} later.`
  return null
}

const nameOf = ({ outcome, endedAt }: OutcomeFacts): string =>
  outcome === 'revoked' ? `revoked at ${endedAt}` : outcome
