/** What a verifier demands of a receipt: what it must say, and who must have confirmed it. See docs/receipts/format.md, "Policy". */
import { canonicalText } from '../canonical'
import { hasExactNumbers, inexactNumber } from '../exact-numbers'
import { areApprovedParams } from '../params'
import { isTestAllowed } from '../test-mark'
import { codeDigest, type DecisionStatement3, ruleIdIn } from './decision-statement'
import { isSamePin, type Pin } from './endorsement'
import { type Outcome, outcomes } from './outcome'
import type { ReceiptFacts } from './verify'
import type { OutcomeFacts } from './verify-outcome'

/**
 * Who must have confirmed a receipt, from weak to strong:
 *
 * - `service`: the service signed it. The service can make up such a receipt.
 * - `signed`: a passkey signed it too. Only the service says whose passkey that is, so the service can still use a passkey of its own.
 * - `proven`: the log had that passkey in a state that your witnesses cosigned in time. The service can still have put its own passkey into
 *   the log before.
 * - `pinned`: a passkey that you have kept since an earlier contact (`pins`) signed it, or vouches for the passkey that signed it. The service does not
 *   have that passkey.
 */
export type Requirement = 'service' | 'signed' | 'proven' | 'pinned'

/** From weak to strong. */
export const requirements: readonly Requirement[] = ['service', 'signed', 'proven', 'pinned']

/** What a receipt must say. A member that is left out is not compared, except `outcome`. */
export interface Expectation {
  /** The accepted outcomes. Default: `approved` and `consumed`. */
  outcome?: Outcome | readonly Outcome[] | undefined
  action?: string | undefined
  /** All params. The receipt must disclose all of them. */
  params?: Record<string, unknown> | undefined
  /** The host name of the service that the permission is meant for. Version 1 names none. */
  audience?: string | undefined
  /** The account that was asked, such as `DUCK-…`. */
  target?: string | undefined
  /** The challenge that you gave for this request. Accept each one only once. Only version 3 has one. */
  challenge?: string | undefined
  /** The code that you showed to the person, and the salt that you hashed it with. Only version 3 has one. */
  code?: { code: string; salt: string } | undefined
  /**
   * The origin of the approver on which the passkey must have signed. Only version 3 has one. The service can claim any origin for a passkey of its
   * own, so the passkey must be `pinned` then, whatever `require` says. Needs `pins`.
   */
  approver?: string | undefined
  /**
   * Whether the log must have the decision, and the use and the revocation that the receipt names, at their stated times. The log gets them
   * after a minute, so ask for it when you check again, not before you act. Needs `vkeys` and `witnesses`, or a log policy.
   */
  logged?: boolean | undefined
  /** Whether receipts of test services, and decisions of people who exist only for tests, are accepted. Default: false. */
  allowTest?: boolean | undefined
  /** The service must have signed the receipt at most so many seconds ago. Later revocations are not in a receipt. */
  signedWithinSeconds?: number | undefined
  /**
   * The decision must be at most so many seconds old. Only the service says when it was. Default: an hour for a rule that the policy accepts,
   * because nobody asked for such a decision with a challenge. Otherwise no limit. `Infinity`: no limit for rules either.
   */
  decidedWithinSeconds?: number | undefined
}

/** How old the decision of an accepted rule may be by default, in seconds. */
const ruleDecidedWithin = 3600

/**
 * Why a valid receipt is not accepted. `requirement`: the policy has none. `trust`: less than the policy requires confirms the receipt. `budget`: the
 * shop has accepted before as much as the rule allows (`permissionTrust`).
 */
export type PolicyReason =
  | 'requirement'
  | 'trust'
  | 'test'
  | 'outcome'
  | 'action'
  | 'target'
  | 'audience'
  | 'approver'
  | 'challenge'
  | 'code'
  | 'params'
  | 'stale'
  | 'logged'
  | 'budget'

export interface PolicyFault {
  part: 'policy'
  reason: PolicyReason
  message: string
}

export type AnyFacts = ReceiptFacts | OutcomeFacts

/** Clocks of servers differ by some seconds. */
const skewMs = 30_000
/** A permission by a rule may end so much later than the rule. */
const ruleEndToleranceMs = 600_000

/** Throws `TypeError` for an expectation that no receipt can be compared with. */
export function checkExpectation(expected: Expectation): void {
  const { params, signedWithinSeconds, decidedWithinSeconds } = expected
  const unknown = acceptedOutcomes(expected).find((outcome) => !outcomes.includes(outcome))
  if (unknown !== undefined) throw new TypeError(`"${unknown}" is not an outcome of a request.`)
  for (const seconds of [signedWithinSeconds, decidedWithinSeconds])
    if (seconds !== undefined && !(seconds >= 0)) throw new TypeError('A time limit must be a number from 0.')
  if (params === undefined) return
  if (!hasExactNumbers(params)) throw new TypeError(`A number in the expected params ${inexactNumber}.`)
  try {
    canonicalText(params)
  } catch {
    throw new TypeError('The expected params are not JSON.')
  }
}

function acceptedOutcomes({ outcome = ['approved', 'consumed'] }: Expectation): readonly Outcome[] {
  return typeof outcome === 'string' ? [outcome] : outcome
}

/** Whom a verifier trusts besides the keys of the service. */
interface Trusted {
  /** Passkeys of the person who was asked. */
  pins?: readonly Pin[] | undefined
  rules?: 'accept' | undefined
}

/** Returns who confirms a valid receipt. Null when the keys of the service came only from the receipt: then nobody does. */
export function trustIn(facts: AnyFacts, { pins = [], rules }: Trusted = {}): Requirement | null {
  if (!facts.isTrustedKey) return null
  if (facts.version === 1) return facts.passkey === null ? 'service' : 'signed'
  const { passkey, enrolment } = acceptedRule(facts, { rules }) ?? facts
  if (passkey === null) return 'service'
  if (isPinned(passkey, pins)) return 'pinned'
  return enrolment.state === 'proven' ? 'proven' : 'signed'
}

/** Returns the rule that decided, or null unless the policy accepts rules and everything shows that the request lies within it. */
export function acceptedRule(facts: AnyFacts, { rules }: Pick<Trusted, 'rules'>): OutcomeFacts['rule'] {
  if (facts.version === 1 || rules !== 'accept') return null
  return facts.rule?.withinRule === 'proven' ? facts.rule : null
}

/** A passkey that signed version 1 signed neither the audience nor each param, so its pin would say too much. */
function isPinned(passkey: { chain: Pin[]; statementVersion?: 1 | 2 | 3 }, pins: readonly Pin[]): boolean {
  if (passkey.statementVersion === 1) return false
  return passkey.chain.some((link) => pins.some((pin) => isSamePin(link, pin)))
}

/** Returns the first demand that a valid receipt does not meet, or null. Without a requirement, no receipt meets the demands. */
export async function policyFault(
  facts: AnyFacts,
  { trust, require }: { trust: Requirement | null; require: Requirement | undefined },
  expected: Expectation & Pick<Trusted, 'rules'>,
  now: Date,
): Promise<PolicyFault | null> {
  if (require === undefined)
    return fault('requirement', 'The policy does not say who must have confirmed the receipt (require).')
  const required = expected.approver === undefined ? require : 'pinned'
  if (trust === null || requirements.indexOf(trust) < requirements.indexOf(required))
    return fault('trust', trustText(facts, required))
  const { statement } = facts
  const latest = statement.version === 3 ? statement : null
  if (latest?.test && expected.allowTest !== true && !isTestAllowed(expected, facts.issuer))
    return fault('test', 'The decision is of a person who exists only for tests.')
  const outcome = facts.version === 1 ? 'approved' : facts.outcome
  if (!acceptedOutcomes(expected).includes(outcome))
    return fault('outcome', `The outcome is ${outcome}, which the policy does not accept.`)
  const { action, target, audience } = expected
  if (action !== undefined && statement.action !== action)
    return fault('action', `The receipt is about ${JSON.stringify(statement.action)}.`)
  if (target !== undefined && statement.target_duckling_id !== target)
    return fault('target', `The receipt is of ${statement.target_duckling_id}.`)
  if (audience !== undefined && audienceIn(facts, required) !== audience)
    return fault('audience', 'The receipt is for another service, or what was signed names no service.')
  const terms = termsFault(latest, expected)
  if (terms !== null) return terms
  if (expected.params !== undefined && !(await hasParams(facts, expected.params)))
    return fault('params', 'The receipt has other params, or does not disclose all of them.')
  return staleFault(facts, expected, now) ?? loggedFault(facts, expected)
}

/** Versions 1 and 2 show no entries of the log. */
function loggedFault(facts: AnyFacts, { logged }: Expectation): PolicyFault | null {
  if (logged !== true) return null
  const found = facts.version === 1 ? { decided: null } : facts.logged
  const missing = Object.entries(found).find(([, entry]) => entry !== null && entry.state !== 'proven')
  if (missing !== undefined)
    return fault('logged', `The log does not prove when it was ${missing[0]} (${missing[1]?.state}).`)
  if (found.decided === null) return fault('logged', 'The receipt does not show the decision in the log.')
  return null
}

/** Compares what only statements of version 3 have. `statement` is null in earlier versions. */
function termsFault(
  statement: DecisionStatement3 | null,
  { approver, challenge, code }: Expectation,
): PolicyFault | null {
  if (approver !== undefined && statement?.approver !== approver)
    return fault('approver', 'The decision was not made on the approver that the policy demands.')
  if (challenge !== undefined && statement?.challenge !== challenge)
    return fault('challenge', 'The decision does not name your challenge.')
  if (code !== undefined && !hasCode(statement, code))
    return fault('code', 'The person did not type the code that you showed.')
  return null
}

function hasCode(
  statement: DecisionStatement3 | null,
  { code, salt }: { code: string; salt: string },
): boolean {
  const found = statement?.code
  return found?.typed === code && found.hash === codeDigest(salt, code)
}

const fault = (reason: PolicyReason, message: string): PolicyFault => ({ part: 'policy', reason, message })

function trustText(facts: AnyFacts, required: Requirement): string {
  if (!facts.isTrustedKey)
    return 'The keys of the service came only from the receipt, so anybody can have made it.'
  const byRule = ruleText(facts)
  if (byRule !== null) return byRule
  if (facts.passkey === null) return 'Only the service says so: the receipt has no signature of a passkey.'
  if (facts.version === 1) return `A receipt of version 1 is never ${required}.`
  if (required === 'pinned')
    return 'You have pinned neither the passkey that signed nor one that vouches for it.'
  return `The enrolment of the passkey is not proven (${facts.enrolment.state}).`
}

/** Returns why the answer of a rule is not accepted, or null when no rule decided. */
function ruleText(facts: AnyFacts): string | null {
  if (facts.version === 1 || ruleIdIn(facts.statement) === null) return null
  if (facts.rule === null)
    return 'A rule answered, and the receipt leaves the rule out. So only the service says so.'
  if (facts.rule.withinRule === 'values_hidden')
    return 'A rule answered, and the receipt hides values. So only the service says that the request lies within the rule.'
  return `A rule answered, so no passkey signed this request. A policy can accept rules (rules: 'accept'). The enrolment of the passkey that signed the rule: ${facts.rule.enrolment.state}.`
}

/** Returns the audience that the required signer signed, or that the service adds to a rule. Statements of version 1 have none. */
function audienceIn(facts: AnyFacts, required: Requirement): string | null {
  if (facts.version === 1) return null
  // A rule reaches more than `service` only when the policy accepts rules, which name no audience.
  const isSigned = required === 'service' || facts.rule !== null || (facts.passkey?.statementVersion ?? 1) > 1
  return isSigned ? facts.statement.audience : null
}

/** Compares all params. Params that the receipt does not disclose match nothing. */
async function hasParams(facts: AnyFacts, expected: Record<string, unknown>): Promise<boolean> {
  if (facts.version === 1) return areApprovedParams(facts.statement.params_hash, expected)
  const { params, hiddenParams } = facts.values
  const disclosed = Object.fromEntries(params.map(({ name, value }) => [name, value]))
  return hiddenParams === 0 && canonicalText(disclosed) === canonicalText(expected)
}

function staleFault(
  facts: AnyFacts,
  { signedWithinSeconds, decidedWithinSeconds, rules }: Expectation & Pick<Trusted, 'rules'>,
  now: Date,
): PolicyFault | null {
  const { signedAt, decidedAt } = facts
  if (!isWithin(signedAt, signedWithinSeconds, now))
    return fault('stale', `The service signed the receipt at ${signedAt}.`)
  const rule = acceptedRule(facts, { rules })
  if (!isWithin(decidedAt, decidedWithinSeconds ?? (rule === null ? undefined : ruleDecidedWithin), now))
    return fault('stale', `The decision was made at ${decidedAt ?? 'no time'}.`)
  if (rule !== null && outlasts(facts, rule.statement.expires_at))
    return fault('stale', `The permission does not end with its rule, at ${rule.statement.expires_at}.`)
  return null
}

/** Tells whether a permission is valid after the end of its rule. A permission without an end always is. */
function outlasts({ statement, grantExpiresAt }: AnyFacts, ruleEnd: string): boolean {
  if (statement.version === 1 || statement.decision !== 'approve') return false
  return grantExpiresAt === null || Date.parse(grantExpiresAt) > Date.parse(ruleEnd) + ruleEndToleranceMs
}

/** A time in the future is not within the limit either, except for a small difference of clocks. */
function isWithin(time: string | null, seconds: number | undefined, now: Date): boolean {
  if (seconds === undefined) return true
  const age = now.getTime() - Date.parse(time ?? '')
  return age >= -skewMs && age <= seconds * 1000
}
