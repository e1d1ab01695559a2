import { transaction } from '@/lib/db/transaction'
import { proofSeconds } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { noteUse, proveAssertion } from './assertion'
import type { AssertionCredential } from './schema'

/**
 * Marks the caller's session as confirmed by a passkey, for sensitive changes in the next 10 minutes. The challenge belongs to
 * this session and works once. Throws `passkey_refused`, or `session_invalid` when the session has just ended.
 */
export async function confirmSession(
  context: DucklingContext<'passkey_refused' | 'session_invalid'>,
  credential: AssertionCredential,
): Promise<{ success: true; confirmed_until: Date }> {
  const { caller, now } = context
  const { id: ducklingId, sessionId } = caller
  const proven = await proveAssertion(context, credential, { purpose: 'confirm', ducklingId, sessionId })
  return transaction(async (tx) => {
    const refusal = await noteUse(tx, context, proven)
    if (refusal !== null) return refusal
    const { count } = await tx.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { passkeyAt: now },
    })
    if (count !== 1) throw context.fail('session_invalid')
    await record(tx, context, 'passkey.confirmed', {
      targets: [
        { type: 'passkey', id: proven.passkey.id },
        { type: 'session', id: sessionId },
      ],
    })
    return { success: true, confirmed_until: secondsAfter(now, proofSeconds) }
  })
}
