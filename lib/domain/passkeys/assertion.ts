/**
 * Judges an assertion (WebAuthn Level 3, 7.2). Three steps, so that no transaction waits for cryptography: the challenge is
 * spent, the assertion is verified, and `noteUse` moves the counter in the transaction that grants the result. The outside
 * learns one thing, `passkey_refused`; the cause goes to the audit log of the passkey's owner, or of the caller.
 */
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { db, type Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { type Ceremony, spendCeremony } from './ceremony'
import { type ClientData, readClientData } from './client-data'
import { relyingParty, userHandle } from './relying-party'
import type { AssertionCredential } from './schema'

export type Cause =
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

export interface ProvenAssertion {
  passkey: Passkey
  /** The authenticator's signature counter; 0 where it keeps none, as synced passkeys do. */
  counter: number
  backedUp: boolean
}

type RefusalContext = Context<Caller, 'passkey_refused'>

/** The one outward refusal, with its cause for the log of whom it concerns. */
export function refusePasskey(
  context: RefusalContext,
  cause: Cause,
  passkey: Passkey | null = null,
): Failure {
  const ducklingId = passkey?.ducklingId ?? context.caller?.id
  if (ducklingId === undefined) return context.fail('passkey_refused')
  return context.fail(
    'passkey_refused',
    {},
    { ducklingId, metadata: { cause, ...(passkey ? { passkey_id: passkey.id } : {}) } },
  )
}

/**
 * Spends the challenge and verifies the assertion over it, outside any transaction. With a `ducklingId` in the ceremony only
 * that duckling's passkeys count. Throws `passkey_refused`.
 */
export async function proveAssertion(
  context: RefusalContext,
  credential: AssertionCredential,
  ceremony: Ceremony,
): Promise<ProvenAssertion> {
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
  const verdict = await verify(passkey, credential, clientData)
  if (typeof verdict === 'string') throw refusePasskey(context, verdict, passkey)
  return { passkey, ...verdict }
}

async function verify(
  passkey: Passkey,
  { id, rawId, type, response }: AssertionCredential,
  clientData: ClientData,
): Promise<Cause | { counter: number; backedUp: boolean }> {
  const { id: rpId, origin } = relyingParty()
  if (clientData.type !== 'webauthn.get') return 'type'
  // Our pages are never framed by others, so an assertion made inside another site's frame is not ours.
  if (clientData.origin !== origin || clientData.crossOrigin) return 'origin'
  const { clientDataJSON, authenticatorData, signature } = response
  if (typeof response.userHandle === 'string') {
    const handle = Buffer.from(response.userHandle, 'base64url')
    if (!handle.equals(userHandle(passkey.ducklingId))) return 'user_handle'
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // With the stored counter the library would judge it before the signature: anybody who knows a credential id could
      // then make it look copied. `noteUse` judges the counter of an assertion that is genuine.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    })
    if (!verified) return 'signature'
    const { newCounter, credentialBackedUp } = authenticationInfo
    return { counter: newCounter, backedUp: credentialBackedUp }
  } catch (error) {
    return causeOf(error)
  }
}

/** The library throws plain errors for whatever an assertion can have wrong. */
export function causeOf(error: unknown): Cause {
  if (!(error instanceof Error)) throw error
  if (error.name === 'UnexpectedRPIDHash') return 'rp_id'
  return error.message.startsWith('User ') ? 'user_verification' : 'malformed'
}

/**
 * Moves the counter of the passkey used, which must rise unless the authenticator keeps none. Returns the refusal when it
 * did not, or the passkey is gone by now: to be *returned* from the transaction, so that the owner's notice is kept.
 */
export async function noteUse(
  tx: Tx,
  context: RefusalContext,
  { passkey, counter, backedUp }: ProvenAssertion,
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
  await enqueueNotice(tx, now, ducklingId, 'passkey_counter', { name, at: now.toISOString() })
  return refusePasskey(context, 'counter', passkey)
}
