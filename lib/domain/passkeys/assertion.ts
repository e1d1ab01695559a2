/**
 * Verifies an assertion (WebAuthn Level 3, 7.2) in three steps, so that no transaction waits for cryptography: the challenge is
 * spent, the assertion is verified, and `recordPasskeyUse` updates the counter in the transaction that grants the result. Every
 * refusal is `passkey_assertion_invalid`. Its cause stands only in the audit log of the passkey's owner, or of the caller.
 */
import { db, type Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import type { Caller, Context } from '@/lib/kernel/request/context'
import type { Failure } from '@/lib/kernel/request/failures'
import {
  type Ceremony,
  type ClientData,
  type RelyingParty,
  readClientData,
  relyingParty,
  spendCeremony,
  userHandle,
} from './ceremony'
import type { AssertionCredential } from './schema'

export type RefusalCause =
  | 'malformed'
  | 'challenge'
  | 'passkey_unknown'
  | 'type'
  | 'origin'
  | 'rp_id'
  | 'user_verification'
  | 'user_handle'
  | 'signature'
  | 'counter'

export interface VerifiedAssertion {
  passkey: Passkey
  /** The signature counter of the authenticator. 0 when the authenticator has none, as with synced passkeys. */
  counter: number
  backedUp: boolean
}

/** Of a call that verifies an assertion. */
export type AssertionContext = Context<Caller, 'passkey_assertion_invalid'>

/** Returns `passkey_assertion_invalid` with its cause for the audit log of the passkey's owner, or of the caller. */
export function refusePasskey(
  context: AssertionContext,
  cause: RefusalCause,
  passkey: Passkey | null = null,
): Failure {
  const ducklingId = passkey?.ducklingId ?? context.caller?.id
  if (ducklingId === undefined) return context.fail('passkey_assertion_invalid')
  return context.fail(
    'passkey_assertion_invalid',
    {},
    { ducklingId, metadata: { cause, ...(passkey ? { passkey_id: passkey.id } : {}) } },
  )
}

/**
 * Spends the challenge and verifies its assertion, outside any transaction. When the ceremony has a `ducklingId`, the passkey must
 * belong to that duckling. Throws `passkey_assertion_invalid`.
 */
export async function verifyAssertion(
  context: AssertionContext,
  credential: AssertionCredential,
  ceremony: Ceremony,
): Promise<VerifiedAssertion> {
  const clientData = readClientData(credential.response.clientDataJSON)
  const isOurs = clientData !== null && (await spendCeremony(context.now, ceremony, clientData.challenge))
  const passkey = await db().passkey.findFirst({
    where: {
      credentialId: credential.id,
      ...(ceremony.ducklingId === null ? {} : { ducklingId: ceremony.ducklingId }),
    },
  })
  if (clientData === null) throw refusePasskey(context, 'malformed', passkey)
  if (!isOurs) throw refusePasskey(context, 'challenge', passkey)
  if (passkey === null) throw refusePasskey(context, 'passkey_unknown')
  const verdict = isOfOwner(credential, passkey)
    ? await verifySigned(passkey, credential, clientData, relyingParty())
    : 'user_handle'
  if (typeof verdict === 'string') throw refusePasskey(context, verdict, passkey)
  return { passkey, ...verdict }
}

/** Whether the authenticator names the owner, if it names anybody. Safari writes "" where other browsers write null. */
function isOfOwner({ response }: AssertionCredential, { ducklingId }: Passkey): boolean {
  if (!response.userHandle) return true
  return Buffer.from(response.userHandle, 'base64url').equals(userHandle(ducklingId))
}

/** Returns what the authenticator says, or the cause of a refusal. Spends no challenge. `site`: to which the passkey belongs. */
export async function verifySigned(
  passkey: Pick<Passkey, 'credentialId' | 'publicKey'>,
  { id, rawId, type, response }: AssertionCredential,
  clientData: ClientData,
  { id: rpId, origin }: Pick<RelyingParty, 'id' | 'origin'>,
): Promise<RefusalCause | { counter: number; backedUp: boolean }> {
  if (clientData.type !== 'webauthn.get') return 'type'
  // Other sites cannot frame our pages, so an assertion from a cross-origin frame was not made on them.
  if (clientData.origin !== origin || clientData.crossOrigin) return 'origin'
  const { clientDataJSON, authenticatorData, signature } = response
  // Loaded at the first passkey: it takes 12 MiB.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: rawId ?? id,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // The library compares the counter before it verifies the signature. With the stored counter, anybody who knows a
      // credential id could make the passkey look cloned. `recordPasskeyUse` checks the counter after the signature.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    })
    if (!verified) return 'signature'
    const { newCounter, credentialBackedUp } = authenticationInfo
    return { counter: newCounter, backedUp: credentialBackedUp }
  } catch (error) {
    return refusalCause(error)
  }
}

/** Returns the cause of an error that the library threw. It throws plain errors for invalid credentials. */
export function refusalCause(error: unknown): RefusalCause {
  if (!(error instanceof Error)) throw error
  if (error.name === 'UnexpectedRPIDHash') return 'rp_id'
  return error.message.startsWith('User ') ? 'user_verification' : 'malformed'
}

/**
 * Updates the counter and the last use of a passkey. The counter must grow, unless the authenticator has none. Returns a failure
 * when the counter did not grow or the passkey was removed meanwhile. The transaction must *return* this failure, so that the notice
 * to the owner is committed.
 */
export async function recordPasskeyUse(
  tx: Tx,
  context: AssertionContext,
  { passkey, counter, backedUp }: VerifiedAssertion,
): Promise<Failure | null> {
  const { now } = context
  const { id, ducklingId, name } = passkey
  const { count } = await tx.passkey.updateMany({
    where: { id, counter: counter === 0 ? 0 : { lt: counter } },
    data: { counter, backedUp, lastUsedAt: now },
  })
  if (count === 1) return null
  if ((await tx.passkey.findUnique({ where: { id }, select: { id: true } })) === null)
    return refusePasskey(context, 'passkey_unknown', passkey)
  enqueueNotice(tx, now, ducklingId, 'passkey_counter', { name, at: now.toISOString() })
  return refusePasskey(context, 'counter', passkey)
}
