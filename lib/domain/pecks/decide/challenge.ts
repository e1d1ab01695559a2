import { transaction } from '@/lib/db/transaction'
import { storeCeremony } from '@/lib/domain/passkeys/ceremony'
import { challengeCaller, getCallerPasskeys } from '@/lib/domain/passkeys/challenge'
import { requestOptions } from '@/lib/domain/passkeys/request-options'
import type { ChallengeRequest, RequestOptions } from '@/lib/domain/passkeys/schema'
import { lockPeck, requireTarget } from '@/lib/domain/pecks/rows'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { approvalStatement, statementHash } from './statement'
import { requirePending } from './transition'

/**
 * Returns WebAuthn request options for the purpose that the caller named. Throws `passkey_needed`; for an approval also
 * `peck_missing`, `not_the_target` or `peck_not_pending`.
 */
export function challengePasskey(
  context: DucklingContext<'passkey_needed' | 'peck_missing' | 'not_the_target' | 'peck_not_pending'>,
  request: ChallengeRequest,
): Promise<RequestOptions> {
  return request.purpose === 'approve'
    ? challengeApproval(context, request.peck_id)
    : challengeCaller(context, request.purpose)
}

/**
 * Returns the options for the assertion that POST /beak/peck/approve takes. The challenge is the SHA-256 of the peck's statement,
 * so the passkey signs exactly what the caller approves. A second call extends the same challenge by five minutes.
 */
function challengeApproval(
  context: DucklingContext<'passkey_needed' | 'peck_missing' | 'not_the_target' | 'peck_not_pending'>,
  peckId: string,
): Promise<RequestOptions> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    requirePending(context, peck)
    const passkeys = await getCallerPasskeys(tx, context)
    const challenge = statementHash(approvalStatement(peck))
    await storeCeremony(tx, now, { purpose: 'approve', ducklingId: caller.id, peckId }, challenge)
    record(tx, context, 'passkey.challenged', {
      targets: [{ type: 'peck', id: peckId }],
      metadata: { purpose: 'approve' },
    })
    return requestOptions(challenge, passkeys)
  })
}
