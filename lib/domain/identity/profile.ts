import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import type { OperatorContext } from '@/lib/kernel/context'
import { type ProfileInput, type ProfileRow, presentProfile, readProfiles } from './schema'

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
