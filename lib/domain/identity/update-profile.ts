import type { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/lock'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { reaches } from '@/lib/kernel/tier'
import { changesNames, rename } from './change-name'
import { updateListing } from './directory'
import { getDuckling, type ProfileChange, type ProfileInput, presentProfile, profileColumns } from './schema'

/**
 * Changes the given fields: all of them, or none when the name may not change yet. Throws `name_change_throttled`. A change of a
 * name, and one that weakens the rules for pecks, also throws the failures of `requireProof`, or `session_invalid`.
 *
 * Without fields, the answer is the unchanged profile. The current names, for instance in a form that sends all
 * fields, are not a name change. `require_passkey_for_pecks` can be set without a passkey, because approving then names the problem (contract G).
 */
export function updateProfile(
  context: DucklingContext<'name_change_throttled' | WeakeningFailure>,
  change: z.output<typeof ProfileChange>,
): Promise<ProfileInput> {
  const { caller, now } = context
  const { display_name: displayName, full_name: fullName, ...others } = change
  const fields = Object.keys(others).sort()
  return transaction(async (tx) => {
    const isWeakened = await requireProofToWeaken(tx, context, others)
    const before = await getDuckling(tx, caller.id)
    if (changesNames(before, { displayName, fullName })) {
      await requireProof(tx, context)
      await rename(tx, context, { displayName, fullName })
    }
    if (fields.length > 0) {
      await tx.duckling.update({ where: { id: caller.id }, data: profileColumns(others) })
      await updateListing(tx, caller.id)
      await recordSettingsChange(tx, context)
      record(tx, context, 'duckling.updated', {
        targets: [{ type: 'duckling', id: caller.id }],
        metadata: { fields },
      })
      if (isWeakened) announceChange(tx, context, 'rules_weakened')
    }
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}

type WeakeningFailure = ProofFailure | 'session_invalid'

type Rules = Pick<z.output<typeof ProfileChange>, 'require_passkey_for_pecks' | 'min_peck_tier'>

/** Requires a proof when the change weakens the rules for pecks, and returns whether it does. Locks the account, so that the rules do not change meanwhile. */
async function requireProofToWeaken(
  tx: Tx,
  context: DucklingContext<WeakeningFailure>,
  change: Rules,
): Promise<boolean> {
  const { require_passkey_for_pecks: requirePasskey, min_peck_tier: minTier } = change
  if (requirePasskey !== false && minTier === undefined) return false
  await lockCaller(tx, context)
  const before = await tx.duckling.findUniqueOrThrow({
    where: { id: context.caller.id },
    select: { requirePasskeyForPecks: true, minPeckTier: true },
  })
  const dropsPasskey = requirePasskey === false && before.requirePasskeyForPecks
  const lowersTier = minTier !== undefined && !reaches(minTier, before.minPeckTier)
  if (!dropsPasskey && !lowersTier) return false
  await requireProof(tx, context)
  return true
}
