/** Decides whether a shop acts on what the service says about a permission. Nothing that the service answers is accepted without its receipt. */
import { BeakConnectionError } from '../errors'
import type { ConsumedGrant } from '../generated/schemas'
import { base64url, bytesOfBase64url } from '../verify/bytes'
import type { KeySource } from '../verify/keys'
import { type OutcomePolicy, outcomePolicy, verifyOutcome } from '../verify/receipt'
import type { DecisionStatement } from '../verify/receipts/decision-statement'
import { isSamePin, type Pin } from '../verify/receipts/endorsement'
import type { PolicyReason } from '../verify/receipts/policy'
import type { OutcomeFacts } from '../verify/receipts/verify-outcome'
import { keysOf } from '../verify/token'
import type {
  ChallengeRule,
  PermissionTrust,
  TrustFault,
  TrustOptions,
  TrustPolicy,
  Use,
  UseChecks,
} from './permission-trust'
import { type TrustRefusal, throwRefusal } from './refused'
import { isOwnChallenge, timeOfChallenge } from './shop-challenge'

/** Clocks of servers differ by some seconds. */
const skewMs = 30_000

/**
 * Returns what `usePermission` needs to check the receipts of permissions. Call it when your program starts, so that a mistake in the demands does
 * not wait for the first permission. Throws `TypeError` for malformed keys, `proven` without keys of the log and of a witness, `pinned`
 * without pins, challenges without a store, and an address whose keys cannot be fetched safely.
 */
export function permissionTrust(options: TrustOptions): PermissionTrust {
  const policy = readyPolicy(options)
  return {
    readFirst: options.readFirst ?? false,
    checksOf: (use) => checksOf(options, policy, use),
  }
}

type ReadyPolicy = TrustPolicy & { keys: KeySource }

function checksOf(trust: TrustOptions, policy: ReadyPolicy, use: Use): UseChecks {
  const check = async (answer: ConsumedGrant) => {
    // A service that lies can also send what is no answer at all.
    if (!isAnswer(answer)) return { pins: [], ...refuse({ part: 'file', message: noReceipt }) }
    const pins = (await trust.pins?.get(answer.target_duckling_id)) ?? []
    const required: OutcomePolicy = {
      ...policy,
      ...use,
      allowTest: policy.allowTest ?? use.allowTest,
      pins,
      // Whoever has pins accepts nothing less, so the service cannot go back to a passkey of its own.
      require: pins.length > 0 ? 'pinned' : policy.require,
    }
    return { pins, ...(await checkReceipt(answer, required, trust)) }
  }
  return {
    async fetchKeys(grantToken) {
      const kid = kidOf(grantToken)
      if (kid !== null) await policy.keys.find(kid)
    },
    async check(answer) {
      throwRefusal((await check(answer)).refusal)
    },
    async accept(answer) {
      const { facts, pins, refusal } = await check(answer)
      throwRefusal(refusal ?? (await claimUse(facts, trust)) ?? (await keepPasskey(facts, pins, trust)))
    },
  }
}

/** Returns the policy with keys that are fetched. Throws `TypeError` for demands that contradict each other. */
function readyPolicy({ policy, used, pins, challenges }: TrustOptions): ReadyPolicy {
  outcomePolicy(policy)
  if (policy.require === 'pinned' && pins === undefined)
    throw new TypeError('A policy that requires "pinned" needs pins.')
  if (challenges !== undefined && used === undefined)
    throw new TypeError('Challenges need a store (used), because each one is accepted once.')
  return { ...policy, keys: reachable(keysOf(policy)) }
}

/** Throws while the keys of the service cannot be read: then nothing was checked, so nothing is found wrong. */
function reachable(source: KeySource): KeySource {
  return {
    async find(kid) {
      const found = await source.find(kid)
      if (found.state === 'unavailable') throw new BeakConnectionError(`${found.cause}.`)
      return found
    },
  }
}

/** Returns the id of the key that signed a token, or null for another text. The receipt is probably signed with the same key. */
function kidOf(token: string): string | null {
  try {
    const bytes = bytesOfBase64url(token.split('.')[0] ?? '') ?? new Uint8Array()
    const { kid } = JSON.parse(new TextDecoder().decode(bytes)) as { kid?: unknown }
    return typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

const noReceipt = 'The service sent no receipt of the permission.'

function isAnswer(answer: unknown): boolean {
  const { target_duckling_id: target, requester } = (answer ?? {}) as Partial<ConsumedGrant>
  return typeof target === 'string' && typeof requester === 'object' && requester !== null
}

const refuse = (fault: TrustFault): CheckedReceipt => ({
  facts: null,
  refusal: { refusal: 'untrusted', fault },
})

type CheckedReceipt = { facts: OutcomeFacts; refusal: null } | { facts: null; refusal: TrustRefusal }

async function checkReceipt(
  answer: ConsumedGrant,
  policy: OutcomePolicy,
  { challenges }: TrustOptions,
): Promise<CheckedReceipt> {
  // Earlier services send none, whatever the type says.
  const receipt: unknown = answer.receipt
  if (receipt === undefined) return refuse({ part: 'file', message: noReceipt })
  const verdict = await verifyOutcome(receipt, policy)
  if (!verdict.ok) return refuse(verdict.fault)
  const { facts } = verdict
  if (facts.version === 1)
    return refuse({ part: 'file', message: 'A receipt of version 1 says too little about a permission.' })
  const { statement, grantExpiresAt } = facts
  if (!isAbout(statement, answer))
    return refuse({ part: 'statement', message: 'The receipt is about another permission.' })
  if (challenges !== undefined && !isOfShop(statement, challenges.secret, policy.now))
    return refuse(policyFault('challenge', 'The decision does not name a challenge of this shop.'))
  if (grantExpiresAt !== null && Date.parse(grantExpiresAt) + skewMs <= nowOf(policy).getTime()) {
    const fault = policyFault('stale', `The permission expired at ${grantExpiresAt}.`)
    return { facts: null, refusal: { refusal: 'expired', fault } }
  }
  return { facts, refusal: null }
}

const policyFault = (reason: PolicyReason, message: string): TrustFault => ({
  part: 'policy',
  reason,
  message,
})

const nowOf = ({ now }: { now?: Date | undefined }) => now ?? new Date()

/** Compares the receipt with everything that the answer says about the permission. A service that lies can leave out the requester. */
function isAbout(statement: DecisionStatement, answer: ConsumedGrant): boolean {
  const { peck_id, action, target_duckling_id, requester } = answer
  return (
    statement.peck_id === peck_id &&
    statement.action === action &&
    statement.target_duckling_id === target_duckling_id &&
    statement.requester.duckling_id === requester?.duckling_id &&
    statement.requester.agent_id === (requester?.agent_id ?? null)
  )
}

const challengeOf = (statement: DecisionStatement) => (statement.version === 3 ? statement.challenge : null)

function isOfShop(
  statement: DecisionStatement,
  secret: ChallengeRule['secret'],
  now: Date | undefined,
): boolean {
  const challenge = challengeOf(statement)
  return challenge !== null && isOwnChallenge(secret, challenge, Number.POSITIVE_INFINITY, now)
}

/** Remembers a one-use permission and a challenge. The store decides which of several simultaneous uses may act. */
async function claimUse(
  { statement }: OutcomeFacts,
  { used, challenges, policy }: TrustOptions,
): Promise<TrustRefusal | null> {
  if (used === undefined) return null
  const { peck_id: peckId, scope } = statement
  const end = latestEnd(statement)
  if (scope === 'limited') {
    const owner = base64url(crypto.getRandomValues(new Uint8Array(16)))
    if ((await used.claim(`use:${peckId}`, owner, end)) !== owner) {
      const message = 'This shop has accepted the permission before, although the service says it is active.'
      return { refusal: 'consumed', fault: policyFault('outcome', message) }
    }
  }
  const challenge = challengeOf(statement)
  if (challenge === null) return null
  const { secret, maxAgeSeconds } = challenges ?? {}
  const isFresh = secret === undefined || isOwnChallenge(secret, challenge, maxAgeSeconds ?? 0, nowOf(policy))
  // With an old challenge only a permission goes on that has used it before: an empty owner gets nothing, and learns who has it.
  const owner = isFresh ? peckId : ''
  const kept = await used.claim(`challenge:${challenge}`, owner, keptUntil(challenge, end, maxAgeSeconds))
  if (kept === peckId) return null
  const message = isFresh
    ? 'The challenge was used for another permission.'
    : 'The challenge is too old for the first use of a permission.'
  return { refusal: 'untrusted', fault: policyFault('challenge', message) }
}

/**
 * Returns the latest time at which the permission can be active, or undefined when it is valid until it is revoked. The passkey signed both
 * numbers, so the service cannot bring the permission back later with other times.
 */
function latestEnd({ expires_at, grant_seconds }: DecisionStatement): Date | undefined {
  if (grant_seconds === null) return undefined
  const end = new Date(Date.parse(expires_at) + grant_seconds * 1000 + 2 * skewMs)
  // Later than any date that JavaScript has.
  return Number.isNaN(end.getTime()) ? undefined : end
}

/** Returns until when a challenge must be kept: while its permission can be active, and while the challenge is not too old. */
function keptUntil(
  challenge: string,
  end: Date | undefined,
  maxAgeSeconds: number | undefined,
): Date | undefined {
  // A challenge without an age could be accepted again at any time.
  if (end === undefined || maxAgeSeconds === undefined) return undefined
  const tooOld = timeOfChallenge(challenge).getTime() + maxAgeSeconds * 1000 + 2 * skewMs
  return new Date(Math.max(end.getTime(), tooOld))
}

/** Keeps the passkey of a first contact, and a passkey that a kept one endorses. */
async function keepPasskey(
  { passkey, statement }: OutcomeFacts,
  known: readonly Pin[],
  { pins }: TrustOptions,
): Promise<TrustRefusal | null> {
  const target = statement.target_duckling_id
  const signer = passkey?.chain[0]
  const isKept = (stored: readonly Pin[]) =>
    signer === undefined || stored.some((pin) => isSamePin(pin, signer))
  if (pins === undefined || signer === undefined || isKept(known)) return null
  if (known.length > 0) {
    await pins.add(target, signer)
    return null
  }
  await pins.addFirst(target, signer)
  // Another first contact may have been faster, with another passkey.
  if (isKept(await pins.get(target))) return null
  const message = 'Another passkey of this person was pinned at the same time.'
  return { refusal: 'untrusted', fault: policyFault('trust', message) }
}
