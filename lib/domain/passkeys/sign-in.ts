import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { clearGuard } from '@/lib/domain/codes/live-codes'
import { type DeviceSession, deviceIds, findDevice, storeDevice } from '@/lib/domain/sessions/devices'
import { proofSeconds } from '@/lib/domain/sessions/proof'
import { ownerColumns, type SessionOwner, startSession } from '@/lib/domain/sessions/start'
import { record } from '@/lib/infrastructure/events/record'
import type { AnonymousContext, DucklingContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from './assertion'
import { challengeLifetimeSeconds, openCeremony, relyingParty } from './ceremony'
import type { AssertionCredential, RequestOptions } from './schema'

/** Returns the options for `navigator.credentials.get()`. With `passkeys` the browser offers only these. */
export function requestOptions(
  challenge: Uint8Array,
  passkeys?: { credentialId: string; transports: string[] }[],
): RequestOptions {
  return {
    challenge: Buffer.from(challenge).toString('base64url'),
    rpId: relyingParty().id,
    timeout: challengeLifetimeSeconds * 1000,
    userVerification: 'required',
    allowCredentials: passkeys?.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key' as const,
      transports,
    })),
  }
}

/** Returns the options for an assertion for PUT /beak/trust/elevate or POST /beak/passkey/confirm. Throws `no_passkey_registered`. */
export function challengeCaller(
  context: DucklingContext<'no_passkey_registered'>,
  purpose: 'elevate' | 'confirm',
): Promise<RequestOptions> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const passkeys = await getCallerPasskeys(tx, context)
    const session = purpose === 'confirm' ? { sessionId: caller.sessionId } : {}
    const challenge = await openCeremony(tx, now, { purpose, ducklingId: caller.id, ...session })
    record(tx, context, 'passkey.challenged', { metadata: { purpose } })
    return requestOptions(challenge, passkeys)
  })
}

/** Returns the caller's passkeys, newest first. Throws `no_passkey_registered` when there is none. */
export async function getCallerPasskeys(tx: Tx, context: DucklingContext<'no_passkey_registered'>) {
  const passkeys = await tx.passkey.findMany({
    where: { ducklingId: context.caller.id },
    orderBy: { id: 'desc' },
    select: { credentialId: true, transports: true },
  })
  if (passkeys.length === 0) throw context.fail('no_passkey_registered')
  return passkeys
}

/** Sign-in with a discoverable passkey: the person chooses a passkey in the browser and need not enter an address. */

/** Opens a ceremony for sign-in and returns the options for the browser. */
export async function startSignIn(context: AnonymousContext): Promise<RequestOptions> {
  return requestOptions(await openCeremony(db(), context.now, { purpose: 'login', ducklingId: null }))
}

/**
 * Signs in the owner of the passkey. Also ends the pauses and locks of codes after too many wrong ones, for known devices and for
 * all others. Throws `passkey_assertion_invalid` or `account_suspended`.
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

/**
 * Marks the caller's session as confirmed by a passkey. It may then make sensitive changes for 10 minutes. The challenge must have
 * been created by the same session. Throws `passkey_assertion_invalid`, or `session_invalid` when the session has just ended.
 */
export async function confirmSession(
  context: DucklingContext<'passkey_assertion_invalid' | 'session_invalid'>,
  credential: AssertionCredential,
): Promise<{ success: true; confirmed_until: Date }> {
  const { caller, now } = context
  const { id: ducklingId, sessionId } = caller
  const verified = await verifyAssertion(context, credential, { purpose: 'confirm', ducklingId, sessionId })
  return transaction(async (tx) => {
    const refusal = await recordPasskeyUse(tx, context, verified)
    if (refusal !== null) return refusal
    const { count } = await tx.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { passkeyAt: now, passkeyId: verified.passkey.id },
    })
    if (count !== 1) throw context.fail('session_invalid')
    record(tx, context, 'passkey.confirmed', {
      targets: [
        { type: 'passkey', id: verified.passkey.id },
        { type: 'session', id: sessionId },
      ],
    })
    return { success: true, confirmed_until: secondsAfter(now, proofSeconds) }
  })
}
