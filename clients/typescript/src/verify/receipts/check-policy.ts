/** Checks a receipt and compares it with a policy. Libraries, command line, pages and the MCP server share this check. */
import type { KeySet, KeySource } from '../keys'
import type { VerifierKey } from '../log/verifier-key'
import { pinnedKeys } from '../log-keys'
import type { Pin } from './endorsement'
import { countWitnesses, type LogTrust } from './enrolment'
import {
  type AnyFacts,
  checkExpectation,
  type Expectation,
  type PolicyFault,
  policyFault,
  type Requirement,
  requirements,
  trustIn,
} from './policy'
import type { ReceiptFault } from './refusal'
import { checkReceipt } from './verify'

/** What a receipt must say, and who must have confirmed it. */
export interface ReceiptPolicy extends Expectation {
  /** Who must have confirmed the receipt. Without it, no receipt is `ok`: the result only says what was found. */
  require?: Requirement | undefined
  /**
   * Verifier keys of the transparency log that you trust (`/.well-known/tlog/vkeys`). Get them once and keep them. `proven` needs them and
   * `witnesses`.
   */
  vkeys?: readonly string[] | undefined
  /** Verifier keys of witnesses that you trust, which the service does not run. */
  witnesses?: readonly string[] | undefined
  /** Passkeys of the person who was asked, which you have kept since an earlier contact. `pinned` needs them. */
  pins?: readonly Pin[] | undefined
  /** How many of the witnesses must have cosigned the log in time. Default: all of them. */
  quorum?: number | undefined
}

/** The result for a receipt of any version. `trust` is who confirms it, whatever the policy requires. */
export type OutcomeVerdict =
  /** The receipt is as the policy demands. */
  | { ok: true; trust: Requirement; facts: AnyFacts }
  /** The receipt is consistent, but not as the policy demands. Do not act on `facts`. */
  | { ok: false; fault: PolicyFault; trust: Requirement | null; facts: AnyFacts }
  /** The receipt is not valid. */
  | { ok: false; fault: ReceiptFault; trust: null; facts: null }

interface Signer {
  /** Returns the trusted keys of the service. Undefined: only the keys in the receipt are used, which prove nothing. */
  keys(): KeySet | KeySource | undefined
  /** The service that must have signed. Null: any that has the keys. */
  issuer: string | null
  now?: Date | undefined
}

/** Checks a receipt with these keys of the service. Throws `TypeError` for a malformed policy. */
export async function checkWithPolicy(
  receipt: unknown,
  policy: ReceiptPolicy,
  { keys, issuer, now = new Date() }: Signer,
): Promise<OutcomeVerdict> {
  const log = logTrustOf(policy)
  const verdict = await checkReceipt(receipt, keys(), log)
  if (!verdict.ok) return { ...verdict, trust: null, facts: null }
  const { facts } = verdict
  if (issuer !== null && facts.issuer !== issuer)
    return { ok: false, fault: otherIssuer(facts, issuer), trust: null, facts: null }
  const trust = trustIn(facts, policy.pins)
  const fault = await policyFault(facts, { trust, require: policy.require }, policy, now)
  if (fault !== null) return { ok: false, fault, trust, facts }
  // `policyFault` refuses receipts that nobody confirms.
  return { ok: true, trust: trust as Requirement, facts }
}

export function otherIssuer({ issuer }: AnyFacts, expected: string): ReceiptFault {
  return { part: 'jws', message: `The receipt was issued by ${issuer}, not by ${expected}.` }
}

/** Checks a policy. Returns the keys of the log and of witnesses in it. Throws `TypeError`. */
export function logTrustOf(policy: ReceiptPolicy): LogTrust {
  checkExpectation(policy)
  const vkeys = pinnedKeys(policy.vkeys ?? [], 'ed25519')
  const witnesses = pinnedKeys(policy.witnesses ?? [], 'cosignature')
  const { require } = policy
  if (require !== undefined && !requirements.includes(require))
    throw new TypeError(`"${require}" is none of ${requirements.join(', ')}.`)
  if (require === 'proven' && (vkeys.length === 0 || witnesses.length === 0))
    throw new TypeError(
      'A policy that requires "proven" needs a key of the log (vkeys) and a key of a witness (witnesses).',
    )
  return { vkeys, witnesses, quorum: quorumOf(policy, witnesses) }
}

function quorumOf({ quorum }: ReceiptPolicy, witnesses: readonly VerifierKey[]): number {
  const most = countWitnesses(witnesses)
  if (quorum === undefined) return most
  if (Number.isInteger(quorum) && quorum >= 1 && quorum <= most) return quorum
  throw new TypeError(`The quorum must be a number from 1 to ${most}, the number of different witnesses.`)
}
