import { db } from '@/lib/db/client'
import type { OperatorContext } from '@/lib/kernel/context'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

/** The caller's own profile; for an agent, its operator's. */
export async function ownProfile(context: OperatorContext): Promise<ProfileInput> {
  return presentProfile(await getDuckling(db(), context.caller.id), context.now)
}
