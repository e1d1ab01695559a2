import { askerIdOf, type Operator } from '@/lib/domain/pecks/rows'
import { hour } from '@/lib/kernel/clock'
import { sha256Hex } from '@/lib/kernel/secrets'
import { type Params, paramsHash, paramsText } from './params'

export type Scope = 'limited' | 'timed' | 'standing'

/** What is asked of whom, as the request says it. Lifetimes in seconds. */
export interface PeckDemand {
  targetDucklingId: string
  action: string
  scope: Scope
  params: Params
  message: string | undefined
  expiresIn: number
  grantExpiresIn: number | undefined
}

/** The same with its asker, in the columns of a peck. */
export interface Ask {
  requesterDucklingId: string
  requesterAgentId: string | null
  askedBySession: string | null
  askerId: string
  targetDucklingId: string
  action: string
  scope: Scope
  params: string
  paramsHash: string
  message: string | null
  grantSeconds: number | null
  /** The same for two requests exactly when one of them, while pending, makes the other needless. */
  pendingKey: string
}

/** Spec silent: a one-use permission is to be used within a day of the approval; a standing one has no end of its own. */
const defaultGrantSeconds = { limited: 24 * hour, timed: hour, standing: null }

/** The demand as it will be kept. */
export function askOf(caller: Operator, demand: PeckDemand): Ask {
  const { targetDucklingId, action, scope } = demand
  const askerId = askerIdOf(caller)
  const hash = paramsHash(demand.params)
  return {
    requesterDucklingId: caller.id,
    requesterAgentId: caller.type === 'agent' ? caller.agentId : null,
    askedBySession: caller.type === 'agent' ? null : caller.sessionId,
    askerId,
    targetDucklingId,
    action,
    scope,
    params: paramsText(demand.params),
    paramsHash: hash,
    message: demand.message || null,
    grantSeconds: demand.grantExpiresIn ?? defaultGrantSeconds[scope],
    pendingKey: sha256Hex(JSON.stringify([askerId, targetDucklingId, action, scope, hash])),
  }
}
