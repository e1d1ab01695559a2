/** Sign-in with a discoverable passkey: the person chooses a passkey in the browser and need not enter an address. */
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { clearGuard } from '@/lib/domain/codes/clear-guard'
import { type DeviceSession, deviceIds, findDevice, storeDevice } from '@/lib/domain/sessions/devices'
import { ownerColumns, type SessionOwner, startSession } from '@/lib/domain/sessions/start'
import type { AnonymousContext } from '@/lib/kernel/context'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from './assertion'
import { openCeremony } from './ceremony'
import { requestOptions } from './request-options'
import type { AssertionCredential, RequestOptions } from './schema'

/** Opens a ceremony for sign-in and returns the options for the browser. */
export async function startSignIn(context: AnonymousContext): Promise<RequestOptions> {
  return requestOptions(await openCeremony(db(), context.now, { purpose: 'login', ducklingId: null }))
}

/**
 * Signs in the owner of the passkey. Also ends the pauses and locks of codes after too many wrong ones, for known devices and for
 * all others (contract A). Throws `passkey_assertion_invalid` or `account_suspended`.
 */
export async function signInWithPasskey(
  context: AnonymousContext<'passkey_assertion_invalid' | 'account_suspended'>,
  credential: AssertionCredential,
  deviceToken?: string,
): Promise<DeviceSession & { duckling_id: string }> {
  const { now } = context
  const verified = await verifyAssertion(context, credential, { purpose: 'login', ducklingId: null })
  return transaction(async (tx) => {
    const refusal = await recordPasskeyUse(tx, context, verified)
    if (refusal !== null) return refusal
    const [duckling] = await tx.rows<SessionOwner>`
      SELECT ${ownerColumns} FROM "Duckling" d WHERE d."id" = ${verified.passkey.ducklingId} AND d."deletedAt" IS NULL`
    if (duckling === undefined) return refusePasskey(context, 'passkey_unknown', verified.passkey)
    const subjects = [duckling.id, ...(await deviceIds(tx, duckling.id))]
    await clearGuard(tx, subjects, ['signin', 'verify_email', 'phone', 'email_change'], now)
    const device = await findDevice(tx, deviceToken, { id: duckling.id }, now)
    const session = await startSession(tx, context, duckling, ['pop', 'user'], {
      isExpected: device !== null,
      passkeyId: verified.passkey.id,
    })
    return { ...(await storeDevice(tx, now, duckling.id, session, device)), duckling_id: duckling.id }
  })
}
