import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { ownProfile } from '@/lib/identity/profile'
import { getDuckling, type ProfileInput, presentProfile } from '@/lib/identity/schema'
import type { OperatorContext } from '@/lib/kernel/context'
import { checkHeld, getGrant, getGrantedPeck, refuseUse, spendGrant } from './consume'
import { askerIdOf, type PeckRow } from './rows'
import { asksForEmail } from './summary'

/**
 * The caller's own profile or, with a grant for `read:profile`, the profile of the one who gave it, spending one use. Throws
 * `grant_invalid`, `grant_not_active`, or `grant_other_asker` when the grant is another's or for something else.
 */
export async function readProfile(
  context: OperatorContext,
  grantToken: string | null,
): Promise<ProfileInput> {
  if (grantToken === null) return ownProfile(context)
  const grant = await getGrant(grantToken, context.now)
  return transaction(async (tx) => {
    const peck = await getGrantedPeck(tx, grant)
    if (peck.askerId !== askerIdOf(context.caller) || peck.action !== 'read:profile')
      throw refuseUse(peck, 'grant_other_asker')
    checkHeld(peck, grant, context.now)
    return targetProfile(tx, await spendGrant(tx, context, peck), context.now)
  })
}

/** The e-mail address belongs to it only where the params that were approved ask for it. */
async function targetProfile(tx: Tx, peck: PeckRow, now: Date): Promise<ProfileInput> {
  const { email, ...profile } = presentProfile(await getDuckling(tx, peck.targetDucklingId), now)
  return asksForEmail(peck) ? { email, ...profile } : profile
}
