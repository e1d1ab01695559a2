import { transaction } from '@/lib/db/transaction'
import { recordPasskeyUse, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { reaches } from '@/lib/kernel/tier'
import { recordElevation } from './record-elevation'
import type { Elevation } from './schema'

/**
 * Raises the caller from T2 to T3 with an assertion for a challenge with purpose `elevate`. Throws `tier_too_low`,
 * `tier_already_reached` or `passkey_assertion_invalid`.
 */
export async function confirmWithPasskey(
  context: DucklingContext<'tier_too_low' | 'tier_already_reached' | 'passkey_assertion_invalid'>,
  credential: AssertionCredential,
): Promise<Elevation> {
  const { caller } = context
  if (caller.tier === 'T3') throw context.fail('tier_already_reached')
  if (!reaches(caller.tier, 'T2'))
    throw context.fail('tier_too_low', { required_tier: 'T2', current_tier: caller.tier })
  const verified = await verifyAssertion(context, credential, { purpose: 'elevate', ducklingId: caller.id })
  return transaction(async (tx) => {
    const refusal = await recordPasskeyUse(tx, context, verified)
    if (refusal !== null) return refusal
    const { count } = await tx.duckling.updateMany({
      where: { id: caller.id, trustTier: 'T2' },
      data: { trustTier: 'T3' },
    })
    if (count !== 1) throw context.fail('tier_already_reached')
    recordElevation(tx, context, 'T2', 'T3')
    return { status: 'elevated', trust_tier: 'T3' }
  })
}
