import type { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { lockCaller } from '@/lib/domain/sessions/lock'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import { type DucklingContext, reaches } from '@/lib/kernel/context'
import { rename } from './change-name'
import { updateListing } from './directory'
import { getDuckling, type ProfileChange, type ProfileInput, presentProfile, profileColumns } from './schema'

/**
 * Changes what is given: all of it or, where the name may not change yet, nothing. Throws `name_change_throttled`, or what `requireProof` does
 * when the change makes the rules for pecks weaker.
 *
 * Spec silent: no field at all is answered with the profile as it is; the present name among the fields (a form sent back
 * whole) is no change of name; asking for passkeys needs none yet, since who has none is told so when approving.
 */
export function updateProfile(
  context: DucklingContext<ProofFailure | 'session_invalid'>,
  change: z.output<typeof ProfileChange>,
): Promise<ProfileInput> {
  const { caller, now } = context
  const { display_name: name, ...others } = change
  const fields = Object.keys(others).sort()
  return transaction(async (tx) => {
    await proveWeakening(tx, context, others)
    const before = await getDuckling(tx, caller.id)
    if (name !== undefined && name !== before.displayName) await rename(tx, context, name)
    if (fields.length > 0) {
      await tx.duckling.update({ where: { id: caller.id }, data: profileColumns(others) })
      await updateListing(tx, caller.id)
      await recordSettingsChange(tx, context)
      await record(tx, context, 'duckling.updated', {
        targets: [{ type: 'duckling', id: caller.id }],
        metadata: { fields },
      })
    }
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}

type Rules = Pick<z.output<typeof ProfileChange>, 'require_passkey_for_pecks' | 'min_peck_tier'>

/** The account is locked while its rules are compared, so that they are not made stronger at the same moment. */
async function proveWeakening(
  tx: Tx,
  context: DucklingContext<ProofFailure | 'session_invalid'>,
  change: Rules,
): Promise<void> {
  const { require_passkey_for_pecks: requirePasskey, min_peck_tier: minTier } = change
  if (requirePasskey !== false && minTier === undefined) return
  await lockCaller(tx, context)
  const before = await tx.duckling.findUniqueOrThrow({
    where: { id: context.caller.id },
    select: { requirePasskeyForPecks: true, minPeckTier: true },
  })
  const dropsPasskey = requirePasskey === false && before.requirePasskeyForPecks
  const lowersTier = minTier !== undefined && !reaches(minTier, before.minPeckTier)
  if (dropsPasskey || lowersTier) await requireProof(tx, context)
}
