import { base64 } from '@beak/client/verify/bytes'
import { canonicalText } from '@beak/client/verify/canonical'
import type { ReceiptValues } from '@beak/client/verify/receipts/outcome-schema'
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { storeCeremony } from '@/lib/domain/passkeys/ceremony'
import { challengeCaller, getCallerPasskeys } from '@/lib/domain/passkeys/challenge'
import { requestOptions } from '@/lib/domain/passkeys/request-options'
import type { Challenge, ChallengeRequest } from '@/lib/domain/passkeys/schema'
import { lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import { logOrigin } from '@/lib/domain/tlog/origin'
import { findCheckpoint } from '@/lib/domain/tlog/published'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { randomBytes } from '@/lib/kernel/random'
import { sha256 } from '@/lib/kernel/secrets'
import { decisionStatement, receiptValues, shownOf } from '../statements/decision-statement'
import { receiptSeedOf } from '../statements/receipt-salts'
import { approvalStatement, statementHash } from '../statements/statement'
import { requirePending } from './transition'

type ChallengeContext = DucklingContext<
  'no_passkey_registered' | 'peck_not_found' | 'not_the_target' | 'peck_not_pending'
>

/**
 * Returns WebAuthn request options for the purpose that the caller named. Throws `no_passkey_registered`; for a decision also
 * `peck_not_found`, `not_the_target` or `peck_not_pending`.
 */
export function challengePasskey(context: ChallengeContext, request: ChallengeRequest): Promise<Challenge> {
  if (request.purpose === 'elevate' || request.purpose === 'confirm')
    return challengeCaller(context, request.purpose)
  const { purpose, peck_id: peckId } = request
  const version = purpose === 'reject' || request.statement_version === 2 ? 2 : 1
  return challengeDecision(context, { purpose, peckId, version })
}

interface Decision {
  purpose: 'approve' | 'reject'
  peckId: string
  version: 1 | 2
}

/**
 * Returns the options for the assertion that POST /beak/peck/approve or POST /beak/peck/reject takes. The challenge is the SHA-256 of the
 * statement, so the passkey signs exactly what the caller decides. In version 1, a second call extends the same challenge by five minutes.
 */
function challengeDecision(
  context: ChallengeContext,
  { purpose, peckId, version }: Decision,
): Promise<Challenge> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    requirePending(context, peck)
    const passkeys = await getCallerPasskeys(tx, context)
    const signed = version === 1 ? approvalToSign(peck) : await decisionToSign(tx, peck, purpose)
    const { challenge, statement, values } = signed
    await storeCeremony(tx, now, { purpose, ducklingId: caller.id, peckId }, challenge, statement)
    record(tx, context, 'passkey.challenged', {
      targets: [{ type: 'peck', id: peckId }],
      metadata: { purpose },
    })
    const options = requestOptions(challenge, passkeys)
    return statement === null ? options : { ...options, statement, values }
  })
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

/** Returns the statement with a new nonce and the newest state of the log, which shows later that the passkey was enrolled before. */
async function decisionToSign(tx: Tx, peck: PeckRow, decision: 'approve' | 'reject'): Promise<ToSign> {
  const seed = await receiptSeedOf(tx, peck.id)
  const shown = shownOf(peck)
  const checkpoint = await findCheckpoint(tx)
  const statement = decisionStatement(peck, {
    decision,
    seed,
    shown,
    nonce: randomBytes(16).toString('base64url'),
    log: checkpoint && { origin: logOrigin(), size: checkpoint.size, root: base64(checkpoint.root) },
  })
  const text = canonicalText(statement)
  return { challenge: sha256(text), statement: text, values: receiptValues(peck, seed, shown) }
}
