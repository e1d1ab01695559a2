/**
 * The offline check of a receipt of version 2 or 3. The service signs the outcome and the digests of everything else; the passkey signs the
 * statement; the statement names the state of the transparency log in which the passkey was enrolled. See docs/receipts/format.md.
 */

import { canonicalText } from '../canonical'
import type { KeySet, KeySource } from '../keys'
import { areApprovedParams } from '../params'
import type { TestOptions } from '../test-mark'
import { checkAssertion } from './assertion'
import { type DecisionStatement, type DecisionStatement3, digestOf } from './decision-statement'
import { checkEndorsements, type SigningPasskey } from './endorsement'
import { checkEnrolment, type EnrolmentFacts, type LogTrust } from './enrolment'
import { checkLogged, type LoggedOutcome } from './logged'
import { decisionOf, type Outcome } from './outcome'
import { type DecisionProof, OutcomeClaims, OutcomeFile } from './outcome-schema'
import { jsonOf, Refusal, read, readFile } from './refusal'
import { checkRule, type RuleFacts } from './rule'
import { Statement } from './schema'
import { checkKeys, openSignature } from './service-signature'
import { checkValues, type DisclosedValues } from './values'

/** The content of a valid receipt of version 2 or 3. Times are ISO 8601. */
export interface OutcomeFacts {
  version: 2 | 3
  outcome: Outcome
  statement: DecisionStatement
  /** When the target approved or rejected. Null when nobody decided. */
  decidedAt: string | null
  /** When the request or the permission ended: expired, cancelled, revoked or used up. */
  endedAt: string | null
  /** How often the permission was used. */
  uses: number
  lastUsedAt: string | null
  /** When the permission ends. Null without a permission, and for one that is valid until it is revoked. */
  grantExpiresAt: string | null
  /** When the service signed the receipt. Later changes are not in it. */
  signedAt: string
  issuer: string
  kid: string
  passkey: SigningPasskey | null
  /** What the transparency log and its witnesses say about the enrolment of the passkey. */
  enrolment: EnrolmentFacts
  /** The rule that decided. Null when a person decided or nobody, and when the receipt leaves the rule out (`statement.decided_by` names it). */
  rule: RuleFacts | null
  /** What the transparency log and its witnesses say about the decision, the newest use and the revocation. */
  logged: LoggedOutcome
  values: DisclosedValues
  /** Whether the caller passed trusted keys. Otherwise only the keys in the file were used. */
  isTrustedKey: boolean
}

/** Verifies a receipt of version 2 or 3. Throws `Refusal`. */
export async function checkOutcome(
  file: unknown,
  trusted: KeySet | KeySource | undefined,
  log: LogTrust,
  options: TestOptions,
): Promise<OutcomeFacts> {
  const receipt = readFile(OutcomeFile, file)
  const { version, statement } = receipt
  await checkKeys(receipt)
  const { claims: signed, kid } = await openSignature(receipt, trusted, options)
  const claims = read(OutcomeClaims, signed, 'jws', 'body of the JWS')
  if (claims.version !== version) throw new Refusal('jws', 'The JWS is of another version.')
  if (claims.aud !== claims.iss) throw new Refusal('jws', 'The JWS has another audience.')
  checkStatement(receipt, claims)
  checkTimes(statement, claims)
  if (statement.version === 3) checkDecider(statement)
  const passkey = await checkPasskey(receipt, claims)
  if (claims.enrolment !== digestOrNull(receipt.enrolment))
    throw new Refusal('enrolment', 'The proof of the enrolment is not the one that the service signed.')
  if (receipt.version === 3 && claims.version === 3 && claims.logged !== digestOrNull(receipt.logged))
    throw new Refusal('logged', 'What the receipt shows of the log is not what the service signed.')
  const enrolment = await checkEnrolment(enrolledIn(receipt), claims.decided_at, log)
  const logged = await checkLogged(receipt, claims, log)
  const values = await checkDisclosed(receipt)
  return {
    version,
    outcome: claims.outcome,
    statement,
    decidedAt: claims.decided_at,
    endedAt: claims.ended_at,
    uses: claims.uses,
    lastUsedAt: claims.last_used_at,
    grantExpiresAt: claims.grant_expires_at,
    signedAt: new Date(claims.iat * 1000).toISOString(),
    issuer: claims.iss,
    kid,
    passkey,
    enrolment,
    rule: await checkRule(receipt, claims, values, log),
    logged,
    values,
    isTrustedKey: trusted !== undefined,
  }
}

const enrolledIn = ({ passkey, enrolment, statement }: OutcomeFile) => ({
  passkey,
  enrolment,
  log: statement.log,
  ducklingId: statement.target_duckling_id,
})

/** What a passkey signed when that was a statement of version 1. */
const earlierOf = (passkey: DecisionProof | null) =>
  passkey !== null && 'statement_v1' in passkey ? passkey.statement_v1 : undefined

/** Checks the values. When all params are there, they must also be the ones in a statement of version 1. */
async function checkDisclosed({ values, statement, passkey }: OutcomeFile): Promise<DisclosedValues> {
  const disclosed = checkValues(values, statement)
  const earlier = earlierOf(passkey)
  if (earlier === undefined || disclosed.hiddenParams > 0) return disclosed
  const { params_hash: hash } = read(Statement, jsonOf(earlier), 'passkey', 'earlier statement')
  const params = Object.fromEntries(disclosed.params.map(({ name, value }) => [name, value]))
  if (!(await areApprovedParams(hash, params)))
    throw new Refusal('values', 'The passkey signed other params than the receipt has.')
  return disclosed
}

const digestOrNull = (value: object | null) => (value === null ? null : digestOf(value))

function checkStatement(receipt: OutcomeFile, claims: OutcomeClaims): void {
  const { statement, statement_text: text } = receipt
  const refuse = (message: string) => new Refusal('statement', message)
  if (canonicalText(statement) !== text) throw refuse('The statement and its text differ.')
  if (digestOf(statement) !== claims.statement)
    throw refuse('The statement is not the statement that the service signed.')
  if (receipt.peck_id !== statement.peck_id || claims.sub !== statement.peck_id)
    throw refuse('The receipt and its statement are about different pecks.')
  if (statement.issuer !== claims.iss) throw refuse('The statement is of another service.')
  if (receipt.outcome !== claims.outcome)
    throw refuse('The outcome is not the outcome that the service signed.')
  if (statement.decision !== decisionOf[claims.outcome])
    throw refuse('The outcome does not follow from the decision in the statement.')
  if (!statement.params.every((hash, at) => at === 0 || (statement.params[at - 1] ?? '') < hash))
    throw refuse('The hashes of the params are not in order.')
}

/** Checks that times and uses fit the outcome. Compares no times of different servers, because their clocks differ. */
function checkTimes(statement: DecisionStatement, claims: OutcomeClaims): void {
  const { outcome, decided_at: decided, ended_at: ended, last_used_at: used, uses } = claims
  const isGrant = decisionOf[outcome] === 'approve'
  const isConsistent =
    (decided !== null) === (statement.decision !== null) &&
    (decided === null || decided <= statement.expires_at) &&
    (ended === null || !['approved', 'rejected'].includes(outcome)) &&
    (ended !== null || !['expired', 'cancelled', 'revoked'].includes(outcome)) &&
    (outcome !== 'expired' || ended === statement.expires_at) &&
    (outcome !== 'consumed' || (statement.scope === 'limited' && uses === 1)) &&
    (isGrant || (uses === 0 && claims.grant_expires_at === null)) &&
    (uses > 0 || used === null)
  if (!isConsistent) throw new Refusal('statement', 'The times in the receipt do not fit its outcome.')
}

/** Only a person who approved typed a code, and somebody decided exactly when there is a decision. */
function checkDecider({ decision, decided_by: decider, code }: DecisionStatement3): void {
  const isConsistent =
    (decision === null) === (decider === null) && (code?.typed == null || decision === 'approve')
  if (!isConsistent) throw new Refusal('statement', 'The statement contradicts itself about who decided.')
}

/** Returns the passkey that signed, or null without one. */
async function checkPasskey(receipt: OutcomeFile, claims: OutcomeClaims): Promise<SigningPasskey | null> {
  const { passkey, statement, statement_text: text } = receipt
  if (passkey === null && claims.passkey !== null)
    throw new Refusal('passkey', 'A passkey signed the decision, but its signature is missing.')
  if (claims.passkey !== digestOrNull(passkey))
    throw new Refusal('passkey', 'The passkey proof is not the one that the service signed.')
  if (passkey === null) return null
  if (statement.decision === null) throw new Refusal('passkey', 'A passkey signed, but nobody decided.')
  const earlier = earlierOf(passkey)
  if (earlier !== undefined) checkEarlierStatement(earlier, statement)
  const site = statement.version === 3 ? (statement.approver ?? claims.iss) : claims.iss
  await checkAssertion(passkey, earlier ?? text, site)
  checkLifetime(statement, claims)
  const { credential_id, public_key } = passkey
  return {
    credentialId: credential_id,
    verifiedUser: true,
    statementVersion: earlier === undefined ? receipt.version : 1,
    chain:
      'endorsements' in passkey
        ? await checkEndorsements(
            passkey,
            { issuer: statement.issuer, ducklingId: statement.target_duckling_id },
            site,
          )
        : [{ credential_id, public_key }],
  }
}

/** The passkey signs the lifetime of the permission as the longest one. */
function checkLifetime({ grant_seconds: seconds }: DecisionStatement, claims: OutcomeClaims): void {
  const { decided_at: decided, grant_expires_at: end } = claims
  if (seconds === null || decided === null || decisionOf[claims.outcome] !== 'approve') return
  if (end === null || Date.parse(end) > Date.parse(decided) + seconds * 1000)
    throw new Refusal('passkey', 'The permission is longer than the passkey signed.')
}

/** Checks that a statement of version 1, which the passkey signed, says the same. It knows only approvals, and its params have one hash. */
function checkEarlierStatement(text: string, statement: DecisionStatement): void {
  const earlier = read(Statement, jsonOf(text), 'passkey', 'earlier statement')
  const { type: _, version: __, params_hash: ___, ...facts } = earlier
  const isSame = Object.entries(facts).every(
    ([name, value]) => canonicalText(value) === canonicalText(statement[name as keyof typeof facts]),
  )
  if (!isSame || statement.decision !== 'approve' || canonicalText(earlier) !== text)
    throw new Refusal('passkey', 'The passkey signed another statement.')
}
