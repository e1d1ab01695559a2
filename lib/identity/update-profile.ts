import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/events/record'
import type { DucklingContext, Tier } from '@/lib/kernel/context'
import { rename } from './change-name'
import { updateListing } from './directory'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

/** What is left out stays as it is. */
export interface ProfileChange {
  displayName: string | undefined
  bio: string | null | undefined
  directoryVisible: boolean | undefined
  requirePasskeyForPecks: boolean | undefined
  minPeckTier: Tier | undefined
}

/**
 * Changes what is given: all of it or, where the name may not change yet, nothing. Throws `name_change_throttled`.
 *
 * Spec silent: no field at all is answered with the profile as it is; the present name among the fields (a form sent back
 * whole) is no change of name; making the rules for pecks weaker needs no confirmation; asking for passkeys needs none yet,
 * since who has none is told so when approving.
 */
export function updateProfile(context: DucklingContext, change: ProfileChange): Promise<ProfileInput> {
  const { caller, now } = context
  const { displayName, ...rest } = change
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return transaction(async (tx) => {
    const before = await getDuckling(tx, caller.id)
    if (displayName !== undefined && displayName !== before.displayName)
      await rename(tx, context, displayName)
    if (Object.keys(fields).length > 0) {
      await tx.duckling.update({ where: { id: caller.id }, data: fields })
      await updateListing(tx, caller.id)
      await record(tx, context, 'duckling.updated', {
        targets: [{ type: 'duckling', id: caller.id }],
        metadata: { fields: Object.keys(fields).sort() },
      })
    }
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}
