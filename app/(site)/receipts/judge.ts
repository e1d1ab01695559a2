/** Checks the text of a receipt against the keys of this service or pasted keys. Sends nothing. */
import { isUnsupported } from '@beak/proofs/cose'
import { exactJson } from '@beak/proofs/exact-numbers'
import type { KeySet } from '@beak/proofs/keys'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { areApprovedParams } from '@beak/proofs/params'
import {
  checkWithPolicy,
  logTrustOf,
  type OutcomeVerdict,
  type ReceiptPolicy,
} from '@beak/proofs/receipts/check-policy'
import type { Pin } from '@beak/proofs/receipts/endorsement'
import type { AnyFacts, Requirement } from '@beak/proofs/receipts/policy'
import type { ReceiptFault } from '@beak/proofs/receipts/refusal'
import { m } from '@/lib/kernel/messages'

/** Which keys of the service the check used: this service's own, pasted ones, or only those in the receipt, which anyone can make. */
type KeyOrigin = 'own' | 'given' | 'none'

export type Judgement =
  /** The receipt is consistent. `trust` is who confirms it. Null: only keys in the receipt, so nobody. */
  | { outcome: 'holds'; facts: AnyFacts; keys: KeyOrigin; trust: Requirement | null }
  | { outcome: 'fails'; fault: ReceiptFault }
  /** The text is not JSON. */
  | { outcome: 'unreadable' }
  /** This browser lacks Web Crypto, or an algorithm. */
  | { outcome: 'incapable' }

export interface OwnKeys extends KeySet {
  issuer: string
  /** Verifier keys of the transparency log. */
  log: string[]
}

/** Keys that somebody pasted. */
export interface GivenKeys {
  /** The keys of the service. Null: those of this service. */
  service: KeySet | null
  /** Verifier keys of the transparency log and of witnesses, and passkeys of the person who was asked. */
  policy: Pick<ReceiptPolicy, 'vkeys' | 'witnesses' | 'quorum' | 'pins'>
}

/** Checks the text of a receipt. */
export async function judge(text: string, own: OwnKeys, given: GivenKeys | null): Promise<Judgement> {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return { outcome: 'unreadable' }
  }
  if (globalThis.crypto?.subtle === undefined) return { outcome: 'incapable' }
  try {
    return await judgeFile(file, own, given)
  } catch (error) {
    if (isUnsupported(error)) return { outcome: 'incapable' }
    // Never without a result: the page must not keep the verdict of the receipt before.
    return {
      outcome: 'fails',
      fault: { part: 'file', message: m.receipts_the_check_of_this_receipt_failed() },
    }
  }
}

async function judgeFile(file: unknown, own: OwnKeys, given: GivenKeys | null): Promise<Judgement> {
  const alone = await checkWithPolicy(file, {}, { keys: () => undefined, issuer: null })
  if (alone.facts === null) return { outcome: 'fails', fault: alone.fault as ReceiptFault }
  const isOwn = alone.facts.issuer === own.issuer
  const keys = given?.service ?? (isOwn ? own : null)
  if (keys === null) return { outcome: 'holds', facts: alone.facts, keys: 'none', trust: null }
  const policy = { ...(isOwn ? { vkeys: ownLogKeys(own) } : {}), ...given?.policy }
  const verdict = await checkWithPolicy(file, policy, { keys: () => keys, issuer: null })
  if (verdict.facts === null) return { outcome: 'fails', fault: verdict.fault as ReceiptFault }
  const { facts, trust } = verdict
  return { outcome: 'holds', facts, keys: keys === own ? 'own' : 'given', trust }
}

/** Checks a receipt with the keys of this service and of its transparency log. Says what was found: the policy requires nothing. */
export function checkOwn(file: unknown, own: OwnKeys): Promise<OutcomeVerdict> {
  return checkWithPolicy(file, { vkeys: ownLogKeys(own) }, { keys: () => own, issuer: own.issuer })
}

/** A key of a new kind must not stop the check of a receipt. */
const ownLogKeys = ({ log }: OwnKeys) => log.filter((text) => parseVerifierKey(text)?.type === 'ed25519')

/** Pasted texts of keys. Empty texts are left out. */
export interface PastedKeys {
  service: string
  log: string
  witnesses: string
  quorum: string
  /** One passkey per line, as `credential_id:public_key`. */
  pins: string
}

/** Returns the pasted keys, or a sentence that says what is wrong with them. */
export function readGiven(pasted: PastedKeys): GivenKeys | string {
  const service = pasted.service.trim() === '' ? null : readKeys(pasted.service)
  if (service === null && pasted.service.trim() !== '') return m.receipts_this_isnt_set_ed25519_keys()
  const [vkeys, witnesses] = [linesOf(pasted.log), linesOf(pasted.witnesses)]
  const quorum = pasted.quorum.trim() === '' ? undefined : Number(pasted.quorum)
  const pins = linesOf(pasted.pins).map(readPin)
  const wrong = pins.indexOf(null)
  if (wrong !== -1) return m.receipts_passkey_malformed({ number: wrong + 1 })
  const policy = {
    ...(vkeys.length === 0 ? {} : { vkeys }),
    witnesses,
    quorum,
    pins: pins.filter((pin) => pin !== null),
  }
  try {
    logTrustOf(policy)
    return { service, policy }
  } catch (error) {
    return (error as Error).message
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Returns the passkey in a line `credential_id:public_key`, or null when the line is not one. */
function readPin(line: string): Pin | null {
  const [, credentialId, publicKey] = /^([\w-]{1,1400}):([\w-]{1,4096})$/.exec(line) ?? []
  if (credentialId === undefined || publicKey === undefined) return null
  return { credential_id: credentialId, public_key: publicKey }
}

/** Returns a passkey as a line that `readGiven` reads. */
export const pinText = ({ credential_id, public_key }: Pin): string => `${credential_id}:${public_key}`

/** Returns the keys of a pasted key set (RFC 7517), or null when the text is not one. */
function readKeys(text: string): KeySet | null {
  try {
    const { keys, distrusted = [] } = JSON.parse(text) as { keys?: unknown; distrusted?: unknown }
    if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isKey)) return null
    return Array.isArray(distrusted) && distrusted.every(isDistrusted) ? { keys, distrusted } : null
  } catch {
    return null
  }
}

function isKey(value: unknown): boolean {
  const key = value as { kty?: unknown; kid?: unknown; x?: unknown } | null
  return (
    typeof key === 'object' && key?.kty === 'OKP' && typeof key.kid === 'string' && typeof key.x === 'string'
  )
}

function isDistrusted(value: unknown): boolean {
  const key = value as { kid?: unknown; from?: unknown } | null
  return typeof key === 'object' && typeof key?.kid === 'string' && typeof key.from === 'string'
}

/**
 * Whether the canonical text of the parameters has the digest that was approved. Null when the text is not JSON. Never for a number that JSON does
 * not keep: rounded, it could be another one that was approved.
 */
export async function areApproved(params: string, paramsHash: string): Promise<boolean | null> {
  try {
    return await areApprovedParams(paramsHash, exactJson(params))
  } catch (error) {
    return error instanceof RangeError ? false : null
  }
}

/** SHA-256 of `{}`: the digest of a peck that has no parameters. */
export const noParams = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
