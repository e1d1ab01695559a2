import type { z } from 'zod'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { rename } from './change-name'
import { updateListing } from './directory'
import { noteSettingsChange } from './note-settings'
import { getDuckling, type ProfileChange, type ProfileInput, presentProfile, profileColumns } from './schema'

/**
 * Changes what is given: all of it or, where the name may not change yet, nothing. Throws `name_change_throttled`.
 *
 * Spec silent: no field at all is answered with the profile as it is; the present name among the fields (a form sent back
 * whole) is no change of name; making the rules for pecks weaker needs no confirmation; asking for passkeys needs none yet,
 * since who has none is told so when approving.
 */
export function updateProfile(
  context: DucklingContext,
  change: z.output<typeof ProfileChange>,
): Promise<ProfileInput> {
  const { caller, now } = context
  const { display_name: name, ...others } = change
  const fields = Object.keys(others).sort()
  return transaction(async (tx) => {
    const before = await getDuckling(tx, caller.id)
    if (name !== undefined && name !== before.displayName) await rename(tx, context, name)
    if (fields.length > 0) {
      await tx.duckling.update({ where: { id: caller.id }, data: profileColumns(others) })
      await updateListing(tx, caller.id)
      await noteSettingsChange(tx, context)
      await record(tx, context, 'duckling.updated', {
        targets: [{ type: 'duckling', id: caller.id }],
        metadata: { fields },
      })
    }
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}
