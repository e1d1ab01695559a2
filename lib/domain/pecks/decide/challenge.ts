import { base64 } from '@beak/proofs/bytes'
import { canonicalText } from '@beak/proofs/canonical'
import type { ReceiptValues } from '@beak/proofs/receipts/outcome-schema'
import type { Tx } from '@/lib/db/client'
import type { Approver } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { approverSite } from '@/lib/domain/approvers/enrol'
import { storeCeremony } from '@/lib/domain/passkeys/ceremony'
import { challengeEndorsement } from '@/lib/domain/passkeys/endorse'
import type { Challenge, ChallengeRequest } from '@/lib/domain/passkeys/schema'
import { challengeCaller, getCallerPasskeys, requestOptions } from '@/lib/domain/passkeys/sign-in'
import { lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import type { PrepareFailure } from '@/lib/domain/pecks/rules/prepare'
import { challengeRule } from '@/lib/domain/pecks/rules/sign'
import { requirePending } from '@/lib/domain/pecks/state'
import { findWitnessedCheckpoint } from '@/lib/domain/tlog/witness-lease'
import { record } from '@/lib/infrastructure/events/record'
import { isBesideFirstRelease } from '@/lib/infrastructure/events/signals'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import {
  approvalStatement,
  decisionStatement,
  displayedOf,
  oldestVersion,
  receiptSeedOf,
  receiptValues,
  statementHash,
} from '../statements/decision-statement'

type ChallengeContext = DucklingContext<
  | 'no_passkey_registered'
  | 'no_older_passkey'
  | 'passkey_not_found'
  | 'approver_not_found'
  | 'peck_not_found'
  | 'not_the_target'
  | 'peck_not_pending'
  | 'invalid_request'
  | PrepareFailure
  | 'rule_not_found'
  | 'rule_ended'
>

/**
 * Returns WebAuthn request options for the purpose that the caller named. Throws `no_passkey_registered`; for an endorsement
 * `passkey_not_found` or `no_older_passkey`; for a decision `approver_not_found`, `peck_not_found`, `not_the_target`, `peck_not_pending`, or
 * `invalid_request` when the request demands another statement or a code.
 */
export function challengePasskey(context: ChallengeContext, request: ChallengeRequest): Promise<Challenge> {
  if (request.purpose === 'elevate' || request.purpose === 'confirm')
    return challengeCaller(context, request.purpose)
  if (request.purpose === 'endorse') return challengeEndorsement(context, request.passkey_id)
  if (request.purpose === 'rule')
    return challengeRule(context, { rule: request.rule, ruleId: request.rule_id })
  const { purpose, peck_id: peckId } = request
  const isOnApprover = request.approver === true
  if (purpose === 'reject') return challengeDecision(context, { purpose, peckId, isOnApprover })
  const { statement_version: version, code } = request
  return challengeDecision(context, { purpose, peckId, version, code, isOnApprover })
}

interface Decision {
  purpose: 'approve' | 'reject'
  peckId: string
  /** Undefined: the oldest one that has all that the request demands, from 2 on. Beside an instance of 0.2.0 from 1 on. */
  version?: 1 | 2 | 3 | undefined
  /** What the person typed. */
  code?: string | undefined
  /** Whether the approver of the caller signs. */
  isOnApprover: boolean
}

/**
 * Returns the options for the assertion that POST /beak/peck/approve or POST /beak/peck/reject takes. The challenge is the SHA-256 of the
 * statement, so the passkey signs exactly what the caller decides. In version 1, a second call extends the same challenge by five minutes.
 */
function challengeDecision(
  context: ChallengeContext,
  { peckId, isOnApprover, ...form }: Decision,
): Promise<Challenge> {
  const { purpose, code } = form
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    requirePending(context, peck)
    const version = form.version ?? versionForAll(peck, { purpose, isOnApprover })
    const errors = demandErrors(peck, { ...form, isOnApprover })
    if (errors.length > 0) throw context.fail('invalid_request', { errors })
    const approver = isOnApprover ? await getApprover(tx, context) : null
    const passkeys = approver === null ? await getCallerPasskeys(tx, context) : []
    const signed =
      version === 1
        ? approvalToSign(peck)
        : await decisionToSign(tx, peck, {
            decision: purpose,
            version: approver === null ? (version ?? oldestVersion(peck)) : 3,
            typed: code ?? null,
            approver: approver?.origin ?? null,
          })
    const { challenge, statement, values } = signed
    await storeCeremony(tx, now, { purpose, ducklingId: caller.id, peckId }, challenge, statement)
    record(tx, context, 'passkey.challenged', {
      targets: [{ type: 'peck', id: peckId }],
      metadata: { purpose },
    })
    const options =
      approver === null ? requestOptions(challenge, passkeys) : approverOptions(challenge, approver)
    return statement === null ? options : { ...options, statement, values }
  })
}

/**
 * Returns version 1 while an instance of 0.2.0 could get the assertion, because it knows no other. Undefined when there is none, or when the
 * decision is of a kind that 0.2.0 does not have.
 */
function versionForAll(
  { requireSigned }: PeckRow,
  { purpose, isOnApprover }: Pick<Decision, 'purpose' | 'isOnApprover'>,
): 1 | undefined {
  const isKnown = purpose === 'approve' && !requireSigned && !isOnApprover
  return isKnown && isBesideFirstRelease() ? 1 : undefined
}

/** Returns why a decision in this form would not be what the request demands. */
function demandErrors(
  peck: PeckRow,
  { purpose, version, code, isOnApprover }: Omit<Decision, 'peckId'>,
): { field: string; message: string }[] {
  const isCodeMissing = purpose === 'approve' && peck.codeHash !== null && code === undefined
  return [
    ...(version !== undefined && version < 3 && (peck.requireSigned || isOnApprover)
      ? [{ field: 'statement_version', message: m.field_statement_version_required() }]
      : []),
    ...(isCodeMissing ? [{ field: 'code', message: m.field_challenge_code_format() }] : []),
    ...(code !== undefined && peck.codeHash === null
      ? [{ field: 'code', message: m.field_challenge_not_expected() }]
      : []),
  ]
}

/** Throws `approver_not_found` when the caller has no approver. */
async function getApprover(
  tx: Tx,
  { caller, fail }: DucklingContext<'approver_not_found'>,
): Promise<Approver> {
  const approver = await tx.approver.findUnique({ where: { ducklingId: caller.id } })
  if (approver === null) throw fail('approver_not_found')
  return approver
}

/** Returns the options for a passkey of the approver's site, and where that is. */
function approverOptions(challenge: Uint8Array, { origin, credentialId }: Approver): Challenge {
  const options = requestOptions(challenge, [{ credentialId, transports: [] }])
  return { ...options, rpId: approverSite(origin).id, approver: { origin } }
}

interface ToSign {
  challenge: Uint8Array
  /** The text that the challenge is the hash of. Null for version 1, whose text follows from the peck. */
  statement: string | null
  values?: ReceiptValues
}

function approvalToSign(peck: PeckRow): ToSign {
  return { challenge: statementHash(approvalStatement(peck)), statement: null }
}

/** Returns the statement with a new nonce and a state of the log, which shows later that the log had the passkey. */
async function decisionToSign(
  tx: Tx,
  peck: PeckRow,
  form: {
    decision: 'approve' | 'reject'
    version: 2 | 3
    typed: string | null
    approver: string | null
  },
): Promise<ToSign> {
  const seed = await receiptSeedOf(tx, peck)
  const { shown } = displayedOf(peck)
  const checkpoint = await findWitnessedCheckpoint(tx, peck.targetDucklingId)
  const statement = decisionStatement(peck, {
    ...form,
    seed,
    shown,
    nonce: randomBytes(16).toString('base64url'),
    log: checkpoint && { origin: checkpoint.origin, size: checkpoint.size, root: base64(checkpoint.root) },
  })
  const text = canonicalText(statement)
  return { challenge: sha256(text), statement: text, values: receiptValues(peck, seed, shown) }
}
