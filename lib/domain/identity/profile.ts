import { db } from '@/lib/db/client'
import type { OperatorContext } from '@/lib/kernel/context'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

/** Returns the caller's own profile, or the operator's profile for an agent. */
export async function ownProfile(context: OperatorContext): Promise<ProfileInput> {
  return presentProfile(await getDuckling(db(), context.caller.id), context.now)
}
