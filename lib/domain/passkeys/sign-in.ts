/** Sign-in with a passkey the person chooses in their browser: nobody has to say who they are first. */
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { clearGuard } from '@/lib/domain/codes/codes'
import { type DeviceSession, deviceIds, findDevice, storeDevice } from '@/lib/domain/sessions/devices'
import { startSession } from '@/lib/domain/sessions/start'
import type { AnonymousContext } from '@/lib/kernel/context'
import { noteUse, proveAssertion, refusePasskey } from './assertion'
import { openCeremony } from './ceremony'
import { requestOptions } from './request-options'
import type { AssertionCredential, RequestOptions } from './schema'

/** Options for a discoverable sign-in. */
export async function offerSignIn(context: AnonymousContext): Promise<RequestOptions> {
  return requestOptions(await openCeremony(db(), context.now, { purpose: 'login', ducklingId: null }))
}

/**
 * Signs in the owner of the passkey, and switches mailed codes on again, for strangers and known devices, where too many wrong
 * ones had switched them off (contract A). Throws `passkey_refused`.
 */
export async function signInWithPasskey(
  context: AnonymousContext,
  credential: AssertionCredential,
  deviceToken?: string,
): Promise<DeviceSession & { duckling_id: string }> {
  const { now } = context
  const proven = await proveAssertion(context, credential, { purpose: 'login', ducklingId: null })
  return transaction(async (tx) => {
    const refusal = await noteUse(tx, context, proven)
    if (refusal !== null) return refusal
    const duckling = await tx.duckling.findFirst({
      where: { id: proven.passkey.ducklingId, deletedAt: null },
      select: { id: true, trustTier: true },
    })
    if (duckling === null) return refusePasskey(context, 'passkey_unknown', proven.passkey)
    const subjects = [duckling.id, ...(await deviceIds(tx, { ducklingId: duckling.id }))]
    await clearGuard(tx, subjects, ['signin', 'verify_email', 'phone', 'email_change'], now)
    const session = await startSession(tx, context, duckling, ['pop', 'user'])
    const device = await findDevice(tx, deviceToken, { id: duckling.id }, now)
    return { ...(await storeDevice(tx, now, duckling.id, session, device)), duckling_id: duckling.id }
  })
}
