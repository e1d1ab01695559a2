import { randomBytes } from 'node:crypto'
import type { ParamTypes } from '@beak/decision/param-types'
import type { Params } from '@beak/decision/params'
import type { Risk } from '@beak/decision/risk/rules'
import { askerIdOf, type Operator, type PeckRow, type PreparedPeck } from '@/lib/domain/pecks/rows'
import { hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { hashedParams } from './params'
import { riskText } from './risk/read'

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
  paramTypes?: ParamTypes | undefined
  /** Host name. */
  audience?: string | undefined
  terms?: SigningTerms
}

/** A request as the asker sends it. */
export interface AskedPeck extends PeckRequestInput {
  /** Names the target with an invitation link. `targetDucklingId` is empty then. */
  invitationToken?: string | null
}

/** What the service that will act demands of an approval. */
interface SigningTerms {
  requireSigned: boolean
  challenge: string | null
  codeHash: string | null
}

const noTerms: SigningTerms = { requireSigned: false, challenge: null, codeHash: null }

/** A request and its asker, as columns of a peck. */
export interface NewPeck extends SigningTerms {
  requesterDucklingId: string
  requesterAgentId: string | null
  askedBySession: string | null
  askerId: string
  targetDucklingId: string
  action: string
  scope: Scope
  params: string
  paramsHash: string
  paramTypes: string | null
  audience: string | null
  receiptSeed: Uint8Array<ArrayBuffer>
  message: string | null
  createdAt: Date
  expiresAt: Date
  grantSeconds: number | null
  /** The invitation link that the asker used. */
  invitationId: string | null
  /** Equal for two requests that ask for the same thing. Only one of them can be pending at a time. */
  pendingKey: string
}

/** By default, a one-use permission expires a day after the approval and a standing permission never expires. */
const defaultGrantSeconds = { limited: 24 * hour, timed: hour, standing: null }

/** Returns the columns of a new peck for the caller's request. */
export function newPeck(
  caller: Operator,
  input: PeckRequestInput,
  now: Date,
  invitationId: string | null = null,
): NewPeck {
  const { targetDucklingId, action, scope, audience = null, terms = noTerms } = input
  const { challenge, codeHash } = terms
  // Only a passkey's signature makes these worth anything.
  const requireSigned = terms.requireSigned || challenge !== null || codeHash !== null
  const askerId = askerIdOf(caller)
  const { text, hash } = hashedParams(input.params)
  return {
    requesterDucklingId: caller.id,
    requesterAgentId: caller.type === 'agent' ? caller.agentId : null,
    askedBySession: caller.type === 'agent' ? null : caller.sessionId,
    askerId,
    targetDucklingId,
    action,
    scope,
    params: text,
    paramsHash: hash,
    paramTypes: input.paramTypes === undefined ? null : JSON.stringify(input.paramTypes),
    audience,
    requireSigned,
    challenge,
    codeHash,
    receiptSeed: randomBytes(32),
    message: input.message || null,
    createdAt: now,
    expiresAt: secondsAfter(now, input.expiresIn),
    invitationId,
    grantSeconds: input.grantExpiresIn ?? defaultGrantSeconds[scope],
    pendingKey: pendingKeyOf({
      ...{ askerId, targetDucklingId, action, scope, paramsHash: hash },
      ...{ audience, requireSigned, challenge, codeHash },
    }),
  }
}

type Identity = Pick<
  NewPeck,
  | 'askerId'
  | 'targetDucklingId'
  | 'action'
  | 'scope'
  | 'paramsHash'
  | 'audience'
  | 'requireSigned'
  | 'challenge'
  | 'codeHash'
>

/** Returns the key that is equal for two requests for the same thing. */
export function pendingKeyOf(peck: Identity): string {
  const { askerId, targetDucklingId, action, scope, paramsHash: hash, audience, challenge, codeHash } = peck
  // Without audience and demands as in earlier versions, so that a request that was pending then is found again.
  return sha256Hex(
    JSON.stringify([
      askerId,
      targetDucklingId,
      action,
      scope,
      hash,
      ...(audience === null ? [] : [audience]),
      ...(peck.requireSigned ? [{ challenge, codeHash }] : []),
    ]),
  )
}

/** The columns of a peck that its decision changes. */
const undecided = {
  status: 'pending',
  reason: null,
  decidedAt: null,
  grantExpiresAt: null,
  grantRevokedAt: null,
  grantEndHandled: false,
  uses: 0,
  maxUses: null,
  lastUsedAt: null,
  snoozedUntil: null,
  rejectAt: null,
  heldRejection: null,
  wouldApprove: null,
  unclear: false,
  statementDigest: null,
  notifiedAt: null,
  seenAt: null,
  rings: false,
  ruleId: null,
  undone: false,
  supersededBy: null,
} as const

/** Who asks whom, as the peck shows it. */
interface PeckSides
  extends Pick<
    PeckRow,
    | 'requesterName'
    | 'requesterFullName'
    | 'requesterHandle'
    | 'requesterSince'
    | 'requesterTier'
    | 'targetName'
    | 'targetFullName'
    | 'targetHandle'
    | 'targetRequiresPasskey'
    | 'targetApprover'
    | 'agentName'
  > {
  isBlocked: boolean
  risk: Risk
  /** Whether it waits in the second list of the target. */
  stranger: boolean
}

/** Returns a pending peck with a new id. */
export function preparePeck(
  request: NewPeck,
  { isBlocked, risk, stranger, ...sides }: PeckSides,
): PreparedPeck {
  const id = newId('peck', request.createdAt)
  const riskColumns = { riskLevel: risk.level, riskReasons: riskText(risk) }
  const columns = {
    ...request,
    ...undecided,
    ...riskColumns,
    id,
    blocked: isBlocked,
    stranger,
    supersedes: null,
  }
  const agentStatus = request.requesterAgentId === null ? null : 'bonded'
  return { columns, peck: { ...columns, ...sides, agentStatus, isSuspended: false } }
}

/** What the row of a peck does not have. */
interface AgainFacts {
  askedBySession: string | null
  isBlocked: boolean
}

/**
 * Returns a pending peck with a new id and the content, the end and the risk of another one, whose approval was undone: the target knows of the
 * asker what it knew before. As if the target had seen it before a block that came meanwhile.
 */
export function preparePeckAgain(
  peck: PeckRow,
  { askedBySession, isBlocked }: AgainFacts,
  now: Date,
): PreparedPeck {
  const again = {
    ...undecided,
    id: newId('peck', now),
    createdAt: now,
    receiptSeed: randomBytes(32),
    blocked: isBlocked,
    supersedes: peck.id,
  }
  const { requesterDucklingId, requesterAgentId, askerId, targetDucklingId, action, scope } = peck
  const { params, paramsHash: hash, paramTypes, audience, requireSigned, challenge, codeHash } = peck
  const { message, expiresAt, grantSeconds, invitationId, riskLevel, riskReasons, stranger } = peck
  const columns = {
    ...{ requesterDucklingId, requesterAgentId, askerId, targetDucklingId, action, scope },
    ...{ params, paramsHash: hash, paramTypes, audience, requireSigned, challenge, codeHash },
    ...{ message, expiresAt, grantSeconds, invitationId, riskLevel, riskReasons, stranger },
    ...again,
    askedBySession,
    hiddenAt: isBlocked ? now : null,
    pendingKey: pendingKeyOf(peck),
  }
  return { columns, peck: { ...peck, ...again } }
}
