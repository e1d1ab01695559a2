import { transaction } from '@/lib/db/transaction'
import { proofSeconds } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { recordPasskeyUse, verifyAssertion } from './assertion'
import type { AssertionCredential } from './schema'

/**
 * Marks the caller's session as confirmed by a passkey. It may then make sensitive changes for 10 minutes. The challenge must have
 * been created by the same session. Throws `passkey_assertion_invalid`, or `session_invalid` when the session has just ended.
 */
export async function confirmSession(
  context: DucklingContext<'passkey_assertion_invalid' | 'session_invalid'>,
  credential: AssertionCredential,
): Promise<{ success: true; confirmed_until: Date }> {
  const { caller, now } = context
  const { id: ducklingId, sessionId } = caller
  const verified = await verifyAssertion(context, credential, { purpose: 'confirm', ducklingId, sessionId })
  return transaction(async (tx) => {
    const refusal = await recordPasskeyUse(tx, context, verified)
    if (refusal !== null) return refusal
    const { count } = await tx.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { passkeyAt: now, passkeyId: verified.passkey.id },
    })
    if (count !== 1) throw context.fail('session_invalid')
    record(tx, context, 'passkey.confirmed', {
      targets: [
        { type: 'passkey', id: verified.passkey.id },
        { type: 'session', id: sessionId },
      ],
    })
    return { success: true, confirmed_until: secondsAfter(now, proofSeconds) }
  })
}
