/** What the host forges with the keys of the service: receipts, permissions, passkeys. The verifiers are the only judges of the results. */
import { base64 } from '@beak/proofs/bytes'
import { canonicalText } from '@beak/proofs/canonical'
import type { DecisionStatement3 } from '@beak/proofs/receipts/decision-statement'
import type {
  DecisionProof3,
  Enrolment,
  OutcomeFile,
  ReceiptValues,
  RuleProof,
} from '@beak/proofs/receipts/outcome-schema'
import type { PublishedCheckpoint } from '@/lib/domain/tlog/published'
import {
  assertion,
  es256Passkey,
  makeReceipt,
  type Parts,
  proof3,
  statementOf3,
  type TestPasskey,
  valuesOf,
} from '@/lib/fixtures/receipt-maker'
import { siteOf } from '@/lib/fixtures/signed-parts'
import { publicKeys, signingKey } from '@/lib/infrastructure/keys/signing-keys'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import type { Decision, Offer, Terms } from '../people/terms'

export const treeOf = ({
  origin,
  size,
  root,
}: PublishedCheckpoint): NonNullable<DecisionStatement3['log']> => ({
  origin,
  size,
  root: base64(root),
})

/** Each made-up passkey has another key. Those below are of the people. */
let made = 100

/** Returns a new passkey that the host made. */
export const madeUpPasskey = (): TestPasskey => es256Passkey(made++)

/** Returns the proof of a passkey that signs a statement on a site. */
export function signOn(origin: string, passkey: TestPasskey, statement: DecisionStatement3): DecisionProof3 {
  return proof3(assertion(passkey, canonicalText(statement), siteOf(origin)))
}

/** Returns a statement about these terms, as the host likes it. */
export function madeUpStatement(terms: Terms, facts: Partial<DecisionStatement3>): DecisionStatement3 {
  const now = readClock()
  const { action, audience, target, challenge, requester, params } = terms
  const usual = {
    issuer: config().baseUrl,
    audience,
    action,
    challenge,
    requester,
    target_duckling_id: target,
    created_at: secondsAfter(now, -60).toISOString(),
    expires_at: secondsAfter(now, 3600).toISOString(),
    code: null,
  }
  return statementOf3({ ...usual, ...facts }, params)
}

interface Forged {
  statement: DecisionStatement3
  passkey?: DecisionProof3 | null
  enrolment?: Enrolment | null
  /** The rule that decided, instead of a passkey. */
  rule?: RuleProof
  /** The values to disclose. Default: the params of the terms. Null: none. */
  values?: ReceiptValues | null
  decidedAt?: Date
}

/** Signs a receipt with the key of the service, whatever it says. */
export function sign(parts: Omit<Parts, 'claims' | 'signer'>, claims: Parts['claims']): OutcomeFile {
  const { kid, privateKey } = signingKey(readClock())
  const jwk = publicKeys().find((key) => key.kid === kid)
  if (jwk === undefined) throw new Error(`the key ${kid} is not published`)
  return makeReceipt({ ...parts, signer: { privateKey, jwk }, claims: claims ?? {} })
}

/** Signs a receipt of an approval with the key of the service. */
export function forgeReceipt(terms: Terms, forged: Forged): OutcomeFile {
  const { statement, passkey = null, enrolment = null, decidedAt = readClock() } = forged
  const { rule, values = { params: valuesOf(terms.params).params } } = forged
  const { grant_seconds: seconds } = statement
  return sign(
    { statement, passkey, enrolment, values, ...(rule === undefined ? {} : { rule }) },
    {
      iss: config().baseUrl,
      aud: config().baseUrl,
      iat: numericDate(readClock()),
      decided_at: decidedAt.toISOString(),
      grant_expires_at: seconds === null ? null : secondsAfter(decidedAt, seconds).toISOString(),
    },
  )
}

/** Returns what the shop is shown: a permission, and the answer of the host when the shop uses it. */
export function offerOf(terms: Terms, receipt: OutcomeFile, uses = 0): Offer {
  const { action, target } = terms
  const peckId = receipt.peck_id
  return {
    terms,
    token: signToken('grant', { aud: config().baseUrl, sub: peckId, action, target }),
    answer: {
      active: true,
      peck_id: peckId,
      action,
      target_duckling_id: target,
      requester: { type: 'agent', ...terms.requester, display_name: 'Scout', trust_tier: 'T1' },
      uses_left: uses,
      receipt,
    },
  }
}

/** Signs what a real receipt says again, with changes. The signature of the passkey stays the real one unless it is changed. */
export function signAgain(
  terms: Terms,
  { receipt }: Decision,
  changes: Partial<Forged> & { facts?: Partial<DecisionStatement3> },
): OutcomeFile {
  if (receipt.version !== 3) throw new Error('the real receipt has another version')
  const { facts = {}, ...rest } = changes
  const statement = { ...receipt.statement, ...facts }
  const { passkey, enrolment, values } = receipt
  return forgeReceipt(terms, { statement, passkey, enrolment, values: values ?? null, ...rest })
}
