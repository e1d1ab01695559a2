import { typesOf } from '@beak/decision/display/display'
import type { Params } from '@beak/decision/params'
import { hasSecret } from '@beak/decision/secret-values'
import { canonicalText } from '@beak/proofs/canonical'
import type { DecisionStatement } from '@beak/proofs/receipts/decision-statement'
import { digestOf } from '@beak/proofs/receipts/decision-statement'
import { decisionOf, type Outcome } from '@beak/proofs/receipts/outcome'
import type {
  DecisionProof,
  DecisionProof2,
  DecisionProof3,
  Enrolment,
  Logged,
  OutcomeClaims,
  ReceiptValues,
  RuleProof,
  Shown,
} from '@beak/proofs/receipts/outcome-schema'
import { db, type Tx } from '@/lib/db/client'
import { findPeck, type PeckRow, requireVisible, type StoredDecision } from '@/lib/domain/pecks/rows'
import { ruleOfReceipt } from '@/lib/domain/pecks/rules/proof'
import { dueRejection, grantStatusOf, statusOf, withDueRejection } from '@/lib/domain/pecks/state'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/decision-statement'
import {
  decidedStatement,
  displayedOf,
  receiptSeedOf,
  receiptValues,
  signedStatement,
} from '@/lib/domain/pecks/statements/decision-statement'
import { proveEnrolment, proveLogged } from '@/lib/domain/tlog/prove-logged'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { OperatorContext } from '@/lib/kernel/request/context'
import type { OutcomeReceiptInput } from './outcome-receipt-schema'

/**
 * Returns the receipt of the outcome of a peck to asker or target: decided, expired, cancelled, revoked or used. Anybody can check it
 * offline. Throws `peck_not_found`, or `peck_undecided` while the peck is pending.
 */
export async function outcomeReceipt(
  context: OperatorContext<'peck_not_found' | 'peck_undecided'>,
  { peckId, withValues }: { peckId: string; withValues: boolean },
): Promise<OutcomeReceiptInput> {
  const peck = requireVisible(context, await findPeck(peckId))
  const disclosure = withValues ? 'all' : 'none'
  const receipt = await receiptOfPeck(db(), peck, { disclosure, now: context.now })
  if (receipt === null) throw context.fail('peck_undecided', { current_status: 'pending' })
  return receipt
}

/** Which values a receipt discloses. `public`: neither secret values nor a text that contains them. `params`: not what was displayed. */
type Disclosure = 'all' | 'params' | 'public' | 'none'

interface ReceiptOptions {
  disclosure: Disclosure
  now: Date
  /** What was read together with the peck, which then is not read again. */
  stored?: StoredDecision
  /** Whether a receipt of version 3 has what the log says about it, which takes more statements. */
  withLog?: boolean
}

/** Returns the receipt of the outcome of a peck, or null while it is pending. Does not check who may see it. */
export async function receiptOfPeck(
  tx: Tx,
  row: PeckRow,
  { disclosure, now, stored, withLog = true }: ReceiptOptions,
): Promise<OutcomeReceiptInput | null> {
  const peck = withDueRejection(row, now)
  const { id: peckId } = peck
  const outcome = outcomeOf(peck, now)
  if (outcome === null) return null
  const decided = dueDecision(row, now) ?? (stored ? proofIn(stored) : await readDecision(tx, peckId))
  const seed = await receiptSeedOf(tx, row)
  const shown =
    decided.displayed === null ? displayedOf(peck).shown : (JSON.parse(decided.displayed) as Shown)
  const values = disclosedValues(peck, { all: receiptValues(peck, seed, shown), shown, disclosure })
  const approval = provable(decided.approval, peck, values)
  const statement = decidedStatement(peck, { decision: decisionOf[outcome], approval, seed, shown })
  const enrolment = approval === null ? null : await enrolmentOf(tx, peck, approval, statement)
  const file = {
    peck_id: peckId,
    outcome,
    statement_text: canonicalText(statement),
    enrolment,
    ...(values === null ? {} : { values }),
    jwks: { keys: publicKeys() },
  }
  const claims = claimsOf(peck, outcome)
  // Apart, because each version has its own form of the passkey's proof.
  if (statement.version === 3) {
    const passkey = approval === null ? null : endorsedProof(approval)
    const logged = withLog
      ? await proveLogged(tx, peckId, { ...claims, statement: digestOf(statement) })
      : null
    const rule = await ruleFor(tx, peck, disclosure)
    return {
      ...file,
      version: 3,
      statement,
      passkey,
      logged,
      ...(rule ? { rule } : {}),
      jws: sign(
        claims,
        { statement, passkey, enrolment, logged, ...(rule === undefined ? {} : { rule }) },
        now,
      ),
    }
  }
  const passkey = approval === null ? null : proofOf(approval, signedStatement(approval) === null)
  return {
    ...file,
    version: 2,
    statement,
    passkey,
    jws: sign(claims, { statement, passkey, enrolment }, now),
  }
}

/**
 * Returns the rule that decided, or null when the receipt leaves it out, because a rule names values. Undefined when no rule decided. Whoever
 * has all params of the request gets the rule, to check that the request lies within it.
 */
async function ruleFor(tx: Tx, peck: PeckRow, disclosure: Disclosure): Promise<RuleProof | null | undefined> {
  if (peck.ruleId === null) return undefined
  return disclosure === 'all' || disclosure === 'params' ? ruleOfReceipt(tx, peck) : null
}

/** Returns the values that a receipt discloses, or null for none. */
function disclosedValues(
  peck: PeckRow,
  { all, shown, disclosure }: { all: ReceiptValues; shown: Shown; disclosure: Disclosure },
): ReceiptValues | null {
  if (disclosure === 'none') return null
  if (disclosure === 'params') return { params: all.params }
  // Everybody who has the link reads a shared receipt, so it has no value that even the decision page hides.
  const secret = secretNames(peck, shown)
  const isPublic = secret.size === 0 && !hasSecret('message', peck.message)
  if (disclosure === 'all' || isPublic) return all
  return { params: all.params.filter(({ name }) => !secret.has(name)) }
}

/** Returns the names of the params that have a secret, that the decision page hid, and that the asker declared as secret. */
function secretNames(peck: PeckRow, shown: Shown): Set<string> {
  const declared = Object.entries(typesOf(peck)).filter(([, type]) => type === 'secret')
  const displayed = shown.values.filter(({ type }) => type === 'secret')
  const found = Object.entries(JSON.parse(peck.params) as Params).filter(([name, value]) =>
    hasSecret(name, value),
  )
  return new Set([...[...declared, ...found].map(([name]) => name), ...displayed.map(({ name }) => name)])
}

/**
 * Returns the passkey's proof when the receipt may have it. A statement of version 1 has a hash of all params without a salt, so whoever
 * reads the receipt can find hidden values by trying values. The proof is in it only together with all params.
 */
function provable(
  approval: ApprovalProof | null,
  { params }: PeckRow,
  values: ReceiptValues | null,
): ApprovalProof | null {
  if (approval === null || signedStatement(approval) !== null) return approval
  // Without the proof the receipt stays valid, and says only that the service confirms the decision (contract D1).
  const disclosed = values?.params.length ?? 0
  return disclosed === Object.keys(JSON.parse(params) as Params).length ? approval : null
}

/** Returns the outcome of a peck, or null while it is pending. A permission that has ended by itself stays `approved`. */
function outcomeOf(peck: PeckRow, now: Date): Outcome | null {
  const status = statusOf(peck, now)
  if (status === 'pending') return null
  if (status !== 'approved') return status
  const grant = grantStatusOf(peck, now)
  return grant === 'revoked' || grant === 'consumed' ? grant : 'approved'
}

interface Decision {
  approval: ApprovalProof | null
  displayed: string | null
}

const proofIn = ({ approval, displayed }: StoredDecision): Decision => ({
  approval: approval as ApprovalProof | null,
  displayed,
})

/** Returns the same as `readDecision` of a rejection that has taken effect and that the worker has not written yet, or null. */
function dueDecision(row: PeckRow, now: Date): Decision | null {
  const held = dueRejection(row, now)?.held
  return held === undefined ? null : proofIn(held)
}

/** Returns what the passkey signed, and what the page displayed. */
async function readDecision(tx: Tx, peckId: string): Promise<Decision> {
  const found = await tx.peck.findUniqueOrThrow({
    where: { id: peckId },
    select: { approval: true, displayed: true },
  })
  return proofIn(found as StoredDecision)
}

/** Returns the proof for a receipt of version 2. `isEarlier`: the passkey signed a statement of version 1. */
function proofOf(
  { statement, credential_id, public_key, assertion }: ApprovalProof,
  isEarlier: boolean,
): DecisionProof2 {
  const proof = { credential_id, public_key, assertion }
  return isEarlier ? { ...proof, statement_v1: statement } : proof
}

/** Returns the proof for a receipt of version 3. */
function endorsedProof({
  credential_id,
  public_key,
  assertion,
  endorsements = [],
}: ApprovalProof): DecisionProof3 {
  return { credential_id, public_key, assertion, endorsements }
}

async function enrolmentOf(
  tx: Tx,
  { targetDucklingId }: PeckRow,
  { passkey_id: passkeyId, credential_id: credentialId, public_key: publicKey }: ApprovalProof,
  { log }: DecisionStatement,
): Promise<Enrolment | null> {
  return log && proveEnrolment(tx, { ducklingId: targetDucklingId, passkeyId, credentialId, publicKey, log })
}

type Ends = Pick<OutcomeClaims, 'decided_at' | 'ended_at' | 'uses' | 'last_used_at' | 'grant_expires_at'>
type SignedOutcome = Ends & Pick<OutcomeClaims, 'sub' | 'outcome'>

/** Returns what the service says about the outcome. */
function claimsOf(peck: PeckRow, outcome: Outcome): SignedOutcome {
  const isGrant = decisionOf[outcome] === 'approve'
  const ends: Record<Outcome, Date | null> = {
    approved: null,
    rejected: null,
    expired: peck.expiresAt,
    cancelled: peck.decidedAt,
    revoked: peck.grantRevokedAt,
    consumed: peck.lastUsedAt,
  }
  const text = (date: Date | null) => date?.toISOString() ?? null
  return {
    sub: peck.id,
    outcome,
    decided_at: decisionOf[outcome] === null ? null : text(peck.decidedAt),
    ended_at: text(ends[outcome]),
    uses: peck.uses,
    last_used_at: text(peck.lastUsedAt),
    grant_expires_at: isGrant ? text(peck.grantExpiresAt) : null,
  }
}

/** Signs the outcome, and the digests of everything in the receipt that it rests on. */
function sign(
  outcome: SignedOutcome,
  parts: {
    statement: DecisionStatement
    passkey: DecisionProof | null
    enrolment: Enrolment | null
    logged?: Logged | null
    rule?: RuleProof | null
  },
  now: Date,
): string {
  const digests = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part === null ? null : digestOf(part)]),
  )
  const { version } = parts.statement
  const claims = { aud: config().baseUrl, iat: numericDate(now), version, ...outcome, ...digests }
  return signToken('receipt', claims, now)
}
