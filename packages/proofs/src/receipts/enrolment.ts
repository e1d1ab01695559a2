/**
 * The check that the passkey was enrolled before it signed: the entry of the passkey is in the state of the transparency log that the
 * signed statement names. A passkey that was made up afterwards is not in that state. See docs/receipts/format.md.
 */
import { base64, bytesOfBase64, bytesOfText } from '../bytes'
import type { CheckpointStore } from '../log/checkpoint-store'
import { entryText, passkeyDigest } from '../log/entry'
import type { LogFault } from '../log/log-fault'
import { hashOfLeaf } from '../log/merkle'
import { type Note, openNote } from '../log/note'
import { type GoodCosignature, openCheckpoint, type SignedCheckpoint } from '../log/open-checkpoint'
import { isQuorumReached, type LogQuorum } from '../log/quorum'
import { remember, toRemember } from '../log/remember'
import { parseVerifierKey, type VerifierKey } from '../log/verifier-key'
import { isIncluded } from '../log/verify-proof'
import { type DecisionStatement, secondsMax } from './decision-statement'
import type { DecisionProof, Enrolment } from './outcome-schema'
import { Refusal } from './refusal'

/** Keys of the log and of witnesses that the caller trusts. An empty list is no trust. */
export interface LogTrust {
  vkeys?: readonly VerifierKey[]
  witnesses?: readonly VerifierKey[]
  /** How many different witnesses must have cosigned, or which ones. Default: all of them. */
  quorum?: number | LogQuorum
  /** Compares checkpoints that a key in `vkeys` signed with earlier ones. */
  checkpoints?: CheckpointStore | undefined
}

export interface EnrolmentFacts {
  /**
   * - `proven`: a trusted key signed the state of the log that has the passkey, and enough trusted witnesses cosigned that state no later
   *   than ten minutes after the time that the service gives for the decision.
   * - `witness_not_trusted`: the log has the passkey, but you gave no key of a witness. So only the service says since when.
   * - `not_witnessed`: the log has the passkey, but too few of the trusted witnesses had cosigned that state in time.
   * - `log_not_trusted`: the log's keys came only from the receipt. They prove nothing.
   * - `not_logged`: nothing shows that the passkey was enrolled before the decision. It may have been enrolled a minute before.
   * - `no_passkey`: no passkey signed.
   */
  state: 'proven' | 'witness_not_trusted' | 'not_witnessed' | 'log_not_trusted' | 'not_logged' | 'no_passkey'
  /** The entry of the passkey in the log. */
  index: number | null
  /** The trusted witnesses that cosigned that state of the log. */
  cosignatures: GoodCosignature[]
}

/** A witness cosigns within a minute, and clocks differ. */
const witnessDelaySeconds = 600

const without = (state: EnrolmentFacts['state']): EnrolmentFacts => ({ state, index: null, cosignatures: [] })

/** The passkey that signed a statement, the person whose passkey it is, and the state of the log that the statement names. */
export interface Enrolled {
  passkey: DecisionProof | null
  enrolment: Enrolment | null
  log: DecisionStatement['log']
  ducklingId: string
}

/** Checks the enrolment of the passkey that signed. `signedAt` is the time of the decision or of the rule. Throws `Refusal`. */
export async function checkEnrolment(
  { passkey, enrolment, log, ducklingId }: Enrolled,
  signedAt: string | null,
  trust: LogTrust,
): Promise<EnrolmentFacts> {
  if (enrolment === null) return without(passkey === null ? 'no_passkey' : 'not_logged')
  if (passkey === null || log === null || ('statement_v1' in passkey && passkey.statement_v1 !== undefined))
    throw new Refusal(
      'enrolment',
      'The receipt proves the enrolment of a passkey that did not sign a state of the log.',
    )
  const { credential_id: credentialId, public_key: publicKey } = passkey
  checkIncluded(enrolment, log, passkeyDigest({ ducklingId, credentialId, publicKey }))
  const cosigned = await openTree(enrolment, log, trust)
  const { index } = enrolment
  return { state: stateOf(cosigned, signedAt, trust), index, cosignatures: cosigned.map(toCosignature) }
}

/** A valid cosignature with the key that made it. */
export interface Cosigned {
  key: VerifierKey
  /** Seconds since 1970. */
  time: number
}

export const toCosignature = ({ key, time }: Cosigned): GoodCosignature => ({ witness: key.name, time })

/**
 * The log's own key says nothing about the time: with it, somebody can enrol a passkey today and sign a decision of last year. Only the
 * clock of a witness contradicts that.
 */
export function stateOf(
  cosigned: readonly Cosigned[],
  decidedAt: string | null,
  { vkeys = [], witnesses = [], quorum = countWitnesses(witnesses) }: LogTrust,
): EnrolmentFacts['state'] {
  if (vkeys.length === 0) return 'log_not_trusted'
  if (witnesses.length === 0) return 'witness_not_trusted'
  const end = Date.parse(decidedAt ?? '') / 1000 + witnessDelaySeconds
  const inTime = cosigned.flatMap(({ key, time }) => (time <= end ? key : []))
  const isReached =
    typeof quorum === 'number'
      ? new Set(inTime.map(({ name }) => name)).size >= Math.max(quorum, 1)
      : isQuorumReached(quorum, inTime)
  return isReached ? 'proven' : 'not_witnessed'
}

/** Returns how many different witnesses have these keys. One key under two names is one witness, and so are two keys of one name. */
export function countWitnesses(witnesses: readonly VerifierKey[]): number {
  const names = new Map(witnesses.map((key) => [base64(key.publicKey), key.name])).values()
  return new Set(names).size
}

type Tree = NonNullable<DecisionStatement['log']>

/** The entry is computed, not read: so it is about this account and this key. */
function checkIncluded({ index, inclusion }: Enrolment, { size, root }: Tree, digest: string): void {
  const leaf = hashOfLeaf(bytesOfText(entryText('passkey_enrolled', digest)))
  const rootHash = bytesOfBase64(root)
  if (rootHash === null || !isIncluded(leaf, index, { size, root: rootHash }, inclusion))
    throw new Refusal(
      'enrolment',
      'The passkey was not in the transparency log when it signed: the proof of its enrolment does not fit.',
    )
}

/** Checks that the signed checkpoint is of this tree. Returns the valid cosignatures. */
async function openTree(
  { checkpoint: text, vkeys }: Enrolment,
  tree: Tree,
  trust: LogTrust,
): Promise<Cosigned[]> {
  const opened = await openLogNote(text, vkeys, trust)
  if ('kind' in opened) throw new Refusal('enrolment', opened.message, opened.fork)
  const { origin, size, root, note } = opened
  if (origin !== tree.origin || size !== tree.size || base64(root) !== tree.root)
    throw new Refusal('enrolment', 'The checkpoint is not the state of the log that the passkey signed.')
  return findCosignatures(note, trust)
}

/**
 * Opens a checkpoint in a receipt with the trusted keys of the log, and remembers it. Without these keys, the keys in the receipt are used,
 * which prove nothing.
 */
export async function openLogNote(
  text: string,
  vkeys: readonly string[],
  { vkeys: trusted = [], checkpoints }: LogTrust,
): Promise<SignedCheckpoint | LogFault> {
  const name = 'The checkpoint in the receipt'
  const opened = await openCheckpoint(text, trusted.length > 0 ? trusted : vkeys.flatMap(logKeys), name)
  if ('kind' in opened || trusted.length === 0 || checkpoints === undefined) return opened
  const contradiction = await remember(checkpoints, toRemember(opened, text, false), name)
  return contradiction === null ? opened : { kind: 'rewritten', ...contradiction }
}

/** Returns the valid cosignatures of the trusted witnesses on a note, the earliest of each. */
export async function findCosignatures(note: Note, trust: LogTrust): Promise<Cosigned[]> {
  // A cosignature does not cover the name of its key, so one key under two names is one witness.
  const found = new Map<string, Cosigned>()
  for (const key of trust.witnesses ?? []) {
    // A witness with a wrong signature does not count. One that cosigned again has confirmed the state since its first cosignature.
    const times = ((await openNote(note, [key])) ?? []).flatMap(({ time }) => time ?? [])
    const time = Math.min(...times)
    const earlier = found.get(base64(key.publicKey))
    if (time <= secondsMax && (earlier === undefined || time < earlier.time))
      found.set(base64(key.publicKey), { key, time })
  }
  return [...found.values()]
}

/** Returns the key of a log, or nothing for another text: keys in a receipt prove nothing, so they may be of a kind that is new. */
function logKeys(text: string): VerifierKey[] {
  const key = parseVerifierKey(text)
  return key?.type === 'ed25519' ? [key] : []
}
