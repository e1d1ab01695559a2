/** Checks a receipt and compares it with a policy. Libraries, command line, pages and the MCP server share this check. */
import type { KeySet, KeySource } from '../keys'
import type { CheckpointStore } from '../log/checkpoint-store'
import type { LogPolicy } from '../log/policy-file'
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
  /** Passkeys of the person who was asked, which you have kept since an earlier contact. `pinned` and `approver` need them. */
  pins?: readonly Pin[] | undefined
  /**
   * Whether the signature of a passkey over a rule counts as its signature over a request that lies within the rule. Without it, a rule reaches
   * only `service`. The person did not see such a request, and a rule names neither this request nor its audience. How much of the budget was
   * spent before is the word of the service, unless you sum yourself (`permissionTrust`). Its decision may be an hour old by default
   * (`decidedWithinSeconds`).
   */
  rules?: 'accept' | undefined
  /** How many of the witnesses must have cosigned the log in time. Default: all of them. */
  quorum?: number | undefined
  /** A log policy (`parseLogPolicy`), instead of `vkeys`, `witnesses` and `quorum`. */
  logPolicy?: LogPolicy | undefined
  /**
   * Where the newest checkpoint of the log is remembered. A checkpoint that contradicts a remembered one is refused. Needs a key of the log
   * (`vkeys` or `logPolicy`).
   */
  checkpoints?: CheckpointStore | undefined
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
  const verdict = await checkReceipt(receipt, keys(), log, policy)
  if (!verdict.ok) return { ...verdict, trust: null, facts: null }
  const { facts } = verdict
  if (issuer !== null && facts.issuer !== issuer)
    return { ok: false, fault: otherIssuer(facts, issuer), trust: null, facts: null }
  const trust = trustIn(facts, policy)
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
  const { require, logPolicy, checkpoints, approver, pins } = policy
  const log = logPolicy === undefined ? trustInLists(policy) : trustInLogPolicy(policy, logPolicy)
  const { vkeys, witnesses } = log
  if (require !== undefined && !requirements.includes(require))
    throw new TypeError(`"${require}" is none of ${requirements.join(', ')}.`)
  if (approver !== undefined && !pins?.length) throw new TypeError(approverText('passkeys of the person'))
  if (policy.rules !== undefined && policy.rules !== 'accept')
    throw new TypeError('`rules` must be "accept", or be left out.')
  const demand =
    require === 'proven' ? 'that requires "proven"' : policy.logged === true ? 'with "logged"' : null
  if (demand !== null && (vkeys.length === 0 || witnesses.length === 0))
    throw new TypeError(
      `A policy ${demand} needs a key of the log (vkeys) and a key of a witness (witnesses).${missingIn(logPolicy)}`,
    )
  if (checkpoints !== undefined && vkeys.length === 0)
    throw new TypeError('Checkpoints are remembered only with a key of the log (vkeys).')
  return { ...log, checkpoints }
}

/** Returns why an approver without pins is refused, and what to give. */
export const approverText = (missing: string) =>
  `An approver proves nothing without pins, because the service can claim its origin for a passkey of its own. Give ${missing} (pins), or leave the approver out.`

type LogKeys = Required<Pick<LogTrust, 'vkeys' | 'witnesses' | 'quorum'>>

function trustInLists(policy: ReceiptPolicy): LogKeys {
  const witnesses = pinnedKeys(policy.witnesses ?? [], 'cosignature')
  return {
    vkeys: pinnedKeys(policy.vkeys ?? [], 'ed25519'),
    witnesses,
    quorum: quorumOf(policy, witnesses),
  }
}

/** Returns the keys in a log policy. With `quorum none` no witness is trusted, so nothing is proven. */
function trustInLogPolicy({ vkeys, witnesses, quorum }: ReceiptPolicy, given: LogPolicy): LogKeys {
  if (vkeys?.length || witnesses?.length || quorum !== undefined)
    throw new TypeError('Give either a log policy (logPolicy), or vkeys, witnesses and quorum.')
  const trusted = given.quorum === null ? [] : given.witnesses
  return {
    vkeys: pinnedKeys(vkeysOf(given.logs), 'ed25519'),
    witnesses: pinnedKeys(vkeysOf(trusted), 'cosignature'),
    quorum: given.quorum ?? 0,
  }
}

const vkeysOf = (named: readonly { vkey: string }[]) => named.map(({ vkey }) => vkey)

/** Returns a sentence about what a log policy lacks. */
function missingIn(logPolicy: LogPolicy | undefined): string {
  if (logPolicy === undefined) return ''
  if (logPolicy.logs.length === 0) return ' The log policy names no log. Add a line: log <vkey>'
  return ' The log policy names no witness that must cosign (quorum none).'
}

function quorumOf({ quorum }: ReceiptPolicy, witnesses: readonly VerifierKey[]): number {
  const most = countWitnesses(witnesses)
  if (quorum === undefined) return most
  if (Number.isInteger(quorum) && quorum >= 1 && quorum <= most) return quorum
  throw new TypeError(`The quorum must be a number from 1 to ${most}, the number of different witnesses.`)
}
