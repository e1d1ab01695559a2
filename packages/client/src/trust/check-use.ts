/** Decides whether a shop acts on what the service says about a permission. Nothing that the service answers is accepted without its receipt. */
import { base64url, bytesOfBase64url } from '@beak/proofs/bytes'
import type { KeySource } from '@beak/proofs/keys'
import { type OutcomePolicy, outcomePolicy, verifyOutcome } from '@beak/proofs/receipt'
import { approverText } from '@beak/proofs/receipts/check-policy'
import type { DecisionStatement } from '@beak/proofs/receipts/decision-statement'
import { isSamePin, type Pin } from '@beak/proofs/receipts/endorsement'
import { acceptedRule, type PolicyReason } from '@beak/proofs/receipts/policy'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { keysOf } from '@beak/proofs/token'
import { BeakConnectionError } from '../errors'
import type { ConsumedGrant } from '../generated/schemas'
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
import { addUse, canSum } from './used-store'

/** Clocks of servers differ by some seconds. */
const skewMs = 30_000

/**
 * Returns what `usePermission` needs to check the receipts of permissions. Call it when your program starts, so that a mistake in the demands does
 * not wait for the first permission. Throws `TypeError` for malformed keys, `proven` without keys of the log and of a witness, `pinned` or an
 * approver without pins, challenges without a store, rules without a store that sums, and an address whose keys cannot be fetched safely.
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
      // At the first contact there are no pins, and the approver is compared below, as the word of the service.
      approver: pins.length > 0 ? policy.approver : undefined,
      // Whoever has pins accepts nothing less, so the service cannot go back to a passkey of its own.
      require: pins.length > 0 ? 'pinned' : policy.require,
    }
    return { pins, ...(await checkReceipt(answer, required, trust, use)) }
  }
  return {
    async fetchKeys(grantToken) {
      const kid = kidOf(grantToken)
      if (kid !== null) await policy.keys.find(kid)
    },
    async check(answer) {
      const { facts, refusal } = await check(answer)
      throwRefusal(refusal ?? (await claimChallenge(facts, trust)))
    },
    async accept(answer) {
      const { facts, pins, refusal } = await check(answer)
      throwRefusal(
        refusal ??
          (await claimUse(facts, trust)) ??
          (await claimChallenge(facts, trust)) ??
          (await sumRule(facts, trust)) ??
          (await keepPasskey(facts, pins, trust)),
      )
    },
  }
}

/** Returns the policy with keys that are fetched. Throws `TypeError` for demands that contradict each other. */
function readyPolicy({ policy, used, pins, challenges }: TrustOptions): ReadyPolicy {
  outcomePolicy({ ...policy, approver: undefined })
  if (policy.require === 'pinned' && pins === undefined)
    throw new TypeError('A policy that requires "pinned" needs pins.')
  if (policy.approver !== undefined && pins === undefined)
    throw new TypeError(approverText('a store of pins'))
  if (policy.rules === 'accept' && !canSum(used))
    throw new TypeError(
      'A policy that accepts rules needs a store (used) with `replace`, because the shop itself must sum what it accepts.',
    )
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
  { challenges, policy: { approver } }: TrustOptions,
  use: Use,
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
  if (approver !== undefined && (statement.version !== 3 || statement.approver !== approver))
    return refuse(
      policyFault('approver', 'The decision was not made on the approver that the policy demands.'),
    )
  const isBound = challenges !== undefined || policy.challenge !== undefined || policy.require === 'service'
  const audience = audienceFault(statement, use, isBound)
  if (audience !== null) return refuse(policyFault('audience', audience))
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

/**
 * Returns why a shop that names no audience does not accept a permission, or null. `isBound`: the permission is bound to the shop in another way,
 * or the shop believes the service.
 */
function audienceFault({ audience, scope }: DecisionStatement, use: Use, isBound: boolean): string | null {
  if (use.audience !== undefined) return null
  if (audience !== null)
    return `The permission is for ${JSON.stringify(audience)}, and this shop names no audience. Give your own host name (audience).`
  if (isBound || scope !== 'limited') return null
  return 'A permission for one use needs your host name (audience) or a challenge. Otherwise each of several shops accepts it once.'
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

/** Remembers a one-use permission. The store decides which of several simultaneous uses may act. */
async function claimUse({ statement }: OutcomeFacts, { used }: TrustOptions): Promise<TrustRefusal | null> {
  if (used === undefined || statement.scope !== 'limited') return null
  const owner = base64url(crypto.getRandomValues(new Uint8Array(16)))
  if ((await used.claim(`use:${statement.peck_id}`, owner, latestEnd(statement))) === owner) return null
  const message = 'This shop has accepted the permission before, although the service says it is active.'
  return { refusal: 'consumed', fault: policyFault('outcome', message) }
}

/** Remembers which permission a challenge belongs to. The same permission may claim its challenge again: before its use is spent, and after. */
async function claimChallenge(
  { statement }: OutcomeFacts,
  { used, challenges, policy }: TrustOptions,
): Promise<TrustRefusal | null> {
  const challenge = challengeOf(statement)
  if (used === undefined || challenge === null) return null
  const { peck_id: peckId } = statement
  const { secret, maxAgeSeconds } = challenges ?? {}
  const isFresh = secret === undefined || isOwnChallenge(secret, challenge, maxAgeSeconds ?? 0, nowOf(policy))
  // With an old challenge only a permission goes on that has used it before: an empty owner gets nothing, and learns who has it.
  const owner = isFresh ? peckId : ''
  const until = keptUntil(challenge, latestEnd(statement), maxAgeSeconds)
  const kept = await used.claim(`challenge:${challenge}`, owner, until)
  if (kept === peckId) return null
  const message = isFresh
    ? 'The challenge was used for another permission.'
    : 'The challenge is too old for the first use of a permission.'
  return { refusal: 'untrusted', fault: policyFault('challenge', message) }
}

/**
 * Adds a use by a rule to what the shop has accepted by this rule. The permission was claimed before, so each one counts once. It counts even when
 * the shop does not act then: a sum is never too small.
 */
async function sumRule(facts: OutcomeFacts, { used, policy }: TrustOptions): Promise<TrustRefusal | null> {
  const rule = acceptedRule(facts, policy)
  if (rule === null || !canSum(used)) return null
  if (await addUse(used, rule)) return null
  const message = 'This shop has accepted as much as the rule allows, whatever the service says is left.'
  return { refusal: 'untrusted', fault: policyFault('budget', message) }
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

/** Keeps the passkey of a first contact, and a passkey that a kept one endorses. For a rule, that is the passkey that signed the rule. */
async function keepPasskey(
  facts: OutcomeFacts,
  known: readonly Pin[],
  { pins, policy }: TrustOptions,
): Promise<TrustRefusal | null> {
  const target = facts.statement.target_duckling_id
  const signer = (acceptedRule(facts, policy) ?? facts).passkey?.chain[0]
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
