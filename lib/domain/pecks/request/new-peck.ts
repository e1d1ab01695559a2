import { askerIdOf, type Operator } from '@/lib/domain/pecks/rows'
import { hour } from '@/lib/kernel/clock'
import { sha256Hex } from '@/lib/kernel/secrets'
import { type Params, paramsHash, paramsText } from './params'

export type Scope = 'limited' | 'timed' | 'standing'

/** A request for permission, without its asker. Lifetimes are in seconds. */
export interface PeckRequestInput {
  targetDucklingId: string
  action: string
  scope: Scope
  params: Params
  message: string | undefined
  expiresIn: number
  grantExpiresIn: number | undefined
}

/** A request and its asker, as columns of a peck. */
export interface NewPeck {
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
  /** Equal for two requests that ask for the same thing. Only one of them can be pending at a time. */
  pendingKey: string
}

/** Spec silent: by default, a one-use permission expires a day after the approval and a standing permission never expires. */
const defaultGrantSeconds = { limited: 24 * hour, timed: hour, standing: null }

/** Returns the columns of a new peck for the caller's request. */
export function newPeck(caller: Operator, input: PeckRequestInput): NewPeck {
  const { targetDucklingId, action, scope } = input
  const askerId = askerIdOf(caller)
  const hash = paramsHash(input.params)
  return {
    requesterDucklingId: caller.id,
    requesterAgentId: caller.type === 'agent' ? caller.agentId : null,
    askedBySession: caller.type === 'agent' ? null : caller.sessionId,
    askerId,
    targetDucklingId,
    action,
    scope,
    params: paramsText(input.params),
    paramsHash: hash,
    message: input.message || null,
    grantSeconds: input.grantExpiresIn ?? defaultGrantSeconds[scope],
    pendingKey: sha256Hex(JSON.stringify([askerId, targetDucklingId, action, scope, hash])),
  }
}
