/** Checks the text of a receipt against the keys of this service or pasted keys. Sends nothing. */

import { isUnsupported } from '@beak/client/verify/cose'
import type { KeySet } from '@beak/client/verify/keys'
import { parseVerifierKey } from '@beak/client/verify/log/verifier-key'
import { areApprovedParams } from '@beak/client/verify/params'
import type { ReceiptFault } from '@beak/client/verify/receipts/refusal'
import { checkReceipt, type OutcomeVerdict, type ReceiptFacts } from '@beak/client/verify/receipts/verify'
import type { OutcomeFacts } from '@beak/client/verify/receipts/verify-outcome'

/** Which keys the check used: this service's own, pasted ones, or only those in the receipt, which anyone can make. */
export type Trust = 'own' | 'given' | 'none'

export type Judgement =
  | { outcome: 'holds'; facts: ReceiptFacts | OutcomeFacts; trust: Trust }
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

/** Checks the text of a receipt. `given` are pasted keys, for receipts of other services. */
export async function judge(text: string, own: OwnKeys, given: KeySet | null): Promise<Judgement> {
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
    return { outcome: 'fails', fault: { part: 'file', message: 'The check of this receipt failed.' } }
  }
}

async function judgeFile(file: unknown, own: OwnKeys, given: KeySet | null): Promise<Judgement> {
  const alone = await checkReceipt(file)
  if (!alone.ok) return { outcome: 'fails', fault: alone.fault }
  const trust: Trust = alone.facts.issuer === own.issuer ? 'own' : given === null ? 'none' : 'given'
  if (trust === 'none') return { outcome: 'holds', facts: alone.facts, trust }
  const trusted = await (trust === 'own' ? checkOwn(file, own) : checkReceipt(file, given ?? { keys: [] }))
  return trusted.ok
    ? { outcome: 'holds', facts: trusted.facts, trust }
    : { outcome: 'fails', fault: trusted.fault }
}

/** Checks a receipt with the keys of this service and of its transparency log. */
export function checkOwn(file: unknown, own: OwnKeys): Promise<OutcomeVerdict> {
  const vkeys = own.log.map(parseVerifierKey).filter((key) => key !== null)
  return checkReceipt(file, own, { vkeys })
}

/** Returns the keys of a pasted key set (RFC 7517), or null when the text is not one. */
export function readKeys(text: string): KeySet | null {
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

/** Whether the canonical text of the parameters has the digest that was approved. Null when the text is not JSON. */
export async function areApproved(params: string, paramsHash: string): Promise<boolean | null> {
  try {
    return await areApprovedParams(paramsHash, JSON.parse(params))
  } catch {
    return null
  }
}

/** SHA-256 of `{}`: the digest of a peck that has no parameters. */
export const noParams = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
