/** Challenges for somebody who is signed in already: to raise their tier, confirm their session, or approve one very peck. */
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { getPeckAsTarget } from '@/lib/pecks/rows'
import { statusOf } from '@/lib/pecks/state'
import { approvalStatement, statementHash } from '@/lib/pecks/statement'
import { notPending } from '@/lib/pecks/transition'
import { keepCeremony, openCeremony } from './ceremony'
import { requestOptions } from './request-options'
import type { ChallengeRequest, RequestOptions } from './schema'

/**
 * Options for what was asked. Throws `passkey_needed`; for an approval also `peck_missing`, `not_the_target` or
 * `peck_not_pending`.
 */
export function challengePasskey(
  context: DucklingContext,
  request: ChallengeRequest,
): Promise<RequestOptions> {
  return request.purpose === 'approve'
    ? challengeApproval(context, request.peck_id)
    : challengeCaller(context, request.purpose)
}

/** Options for the assertion that PUT /beak/trust/elevate or POST /beak/passkey/confirm takes. */
function challengeCaller(context: DucklingContext, purpose: 'elevate' | 'confirm'): Promise<RequestOptions> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const passkeys = await ownPasskeys(tx, caller.id)
    const session = purpose === 'confirm' ? { sessionId: caller.sessionId } : {}
    const challenge = await openCeremony(tx, now, { purpose, ducklingId: caller.id, ...session })
    await record(tx, context, 'passkey.challenged', { metadata: { purpose } })
    return requestOptions(challenge, passkeys)
  })
}

/**
 * Options for the assertion that POST /beak/peck/approve takes: the challenge is the SHA-256 of the peck's statement, so the
 * passkey signs what is approved. Asking again gives the same challenge another five minutes.
 */
function challengeApproval(context: DucklingContext, peckId: string): Promise<RequestOptions> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = await getPeckAsTarget(tx, caller, peckId)
    if (statusOf(peck, now) !== 'pending') throw notPending(peck, now)
    const passkeys = await ownPasskeys(tx, caller.id)
    const challenge = statementHash(approvalStatement(peck))
    await keepCeremony(tx, now, { purpose: 'approve', ducklingId: caller.id, peckId }, challenge)
    await record(tx, context, 'passkey.challenged', {
      targets: [{ type: 'peck', id: peckId }],
      metadata: { purpose: 'approve' },
    })
    return requestOptions(challenge, passkeys)
  })
}

async function ownPasskeys(tx: Tx, ducklingId: string) {
  const passkeys = await tx.passkey.findMany({
    where: { ducklingId },
    orderBy: { id: 'desc' },
    select: { credentialId: true, transports: true },
  })
  if (passkeys.length === 0) throw fail('passkey_needed')
  return passkeys
}
