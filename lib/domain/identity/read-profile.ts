import { asksForEmail } from '@beak/decision/display/display'
import { batched } from '@/lib/db/batch'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import {
  checkGrantActive,
  getGrantDigest,
  lockGrantedPeck,
  refuseUse,
  spendGrant,
} from '@/lib/domain/pecks/grant/spend'
import { askerIdOf, type PeckRow } from '@/lib/domain/pecks/rows'
import { config } from '@/lib/kernel/config'
import type { OperatorContext } from '@/lib/kernel/request/context'
import {
  type GrantedProfileInput,
  getDuckling,
  type ProfileInput,
  type ProfileRow,
  presentGrantedProfile,
  presentProfile,
  readProfiles,
} from './schema'

const findProfile = batched<ProfileRow>(
  ({ id }) => id,
  (ids) => readProfiles(db(), ids),
)

/** Returns the caller's own profile, or the operator's profile for an agent. */
export async function ownProfile({ caller, now }: OperatorContext): Promise<ProfileInput> {
  const row = await findProfile(caller.id)
  if (row === null) throw new Error(`no duckling ${caller.id}`)
  return presentProfile(row, now)
}

/**
 * Returns the caller's own profile or, with a grant for `read:profile`, the target's profile as far as the grant shows it. Spends
 * one use of the grant. Throws `grant_token_invalid`, `grant_not_active`, `paused`, or `grant_mismatch` when the caller is not the asker or the
 * grant is for another action.
 */
export async function readProfile(
  context: OperatorContext<'grant_token_invalid' | 'grant_not_active' | 'grant_mismatch' | 'paused'>,
  grantToken: string | null,
): Promise<ProfileInput | GrantedProfileInput> {
  if (grantToken === null) return ownProfile(context)
  const digest = getGrantDigest(context, grantToken)
  return transaction(async (tx) => {
    const peck = await lockGrantedPeck(tx, context, digest)
    if (peck.askerId !== askerIdOf(context.caller) || peck.action !== 'read:profile')
      throw refuseUse(context, peck, 'grant_mismatch')
    checkGrantActive(context, peck)
    return targetProfile(tx, spendGrant(tx, context, peck, ownHost()), context.now)
  })
}

/** The service itself shows the profile. */
const ownHost = () => new URL(config().baseUrl).hostname

async function targetProfile(tx: Tx, peck: PeckRow, now: Date): Promise<GrantedProfileInput> {
  const profile = presentProfile(await getDuckling(tx, peck.targetDucklingId), now)
  return presentGrantedProfile(profile, asksForEmail(peck))
}
