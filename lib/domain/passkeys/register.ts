import { db, type Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { lockName, transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { enqueuePasskey } from '@/lib/domain/tlog/enqueue'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { newId } from '@/lib/kernel/secrets/ids'
import { type RefusalCause, refusalCause, refusePasskey } from './assertion'
import {
  type ClientData,
  challengeLifetimeSeconds,
  openCeremony,
  passkeysMax,
  type RelyingParty,
  readClientData,
  relyingParty,
  spendCeremony,
  userHandle,
} from './ceremony'
import {
  type CreationOptions,
  type PasskeyInput,
  presentPasskey,
  type RegistrationCredential,
} from './schema'

/** COSE numbers of ES256, which every authenticator supports, EdDSA, and RS256, which Windows Hello uses. */
const algorithms = [-7, -8, -257]

export interface NewCredential {
  credentialId: string
  /** A COSE key. */
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  aaguid: string
  backedUp: boolean
  userVerified: boolean
}

/**
 * Returns the attestation object without its statement. We do not ask for a statement and do not rely on one. A statement is
 * removed without verification, because that could fetch revocation lists from addresses which the sender has chosen.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const plain = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', decoded.get('authData')],
  ])
  return Buffer.from(isoCBOR.encode(plain)).toString('base64url')
}

/** Verifies a registration (WebAuthn Level 3, 7.1) on a site whose challenge has been spent. Returns the credential or the cause of a refusal. */
export async function verifyRegistration(
  { id, rawId, type, response }: RegistrationCredential,
  clientData: ClientData,
  { id: rpId, origin }: Pick<RelyingParty, 'id' | 'origin'> = relyingParty(),
): Promise<RefusalCause | NewCredential> {
  if (clientData.type !== 'webauthn.create') return 'type'
  if (clientData.origin !== origin || clientData.crossOrigin) return 'origin'
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: rawId ?? id,
        type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: await withoutStatement(response.attestationObject),
        },
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    // The outer id comes from the browser, the id inside the attestation object from the authenticator.
    if (!verified || registrationInfo.credential.id !== id) return 'malformed'
    const { credential, aaguid, credentialBackedUp, userVerified } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      aaguid,
      backedUp: credentialBackedUp,
      userVerified,
    }
  } catch (error) {
    return refusalCause(error)
  }
}

/** Adds a passkey to the caller's account in two steps: options for the browser, then the credential that the browser created. */

/** Opens the ceremony and returns the options for the browser. Throws the failures of `requireProof`, or `too_many_passkeys`. */
export async function startRegistration(
  context: DucklingContext<ProofFailure | 'too_many_passkeys'>,
): Promise<CreationOptions> {
  const { caller, now } = context
  const { duckling, challenge } = await transaction(async (tx) => {
    await requireProof(tx, context)
    const row = await tx.duckling.findUniqueOrThrow({
      where: { id: caller.id },
      select: {
        email: true,
        displayName: true,
        fullName: true,
        passkeys: { select: { credentialId: true, transports: true } },
      },
    })
    if (row.passkeys.length >= passkeysMax) throw context.fail('too_many_passkeys')
    const bytes = await openCeremony(tx, now, { purpose: 'register', ducklingId: caller.id })
    record(tx, context, 'passkey.challenged', { metadata: { purpose: 'register' } })
    return { duckling: row, challenge: bytes }
  })
  const { id, name } = relyingParty()
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: userHandle(caller.id),
    userName: duckling.email ?? duckling.displayName,
    userDisplayName: duckling.fullName ?? duckling.displayName,
    challenge,
    timeout: challengeLifetimeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: duckling.passkeys.map((row) => ({
      id: row.credentialId,
      transports: row.transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return options as CreationOptions
}

type StoreFailure = ProofFailure | 'passkey_already_registered' | 'too_many_passkeys'

/**
 * Finishes the ceremony, stores the passkey and notifies the owner by mail. Throws the failures of `requireProof`,
 * `passkey_assertion_invalid`, `passkey_already_registered` (even when another account has the passkey) or `too_many_passkeys`.
 */
export async function registerPasskey(
  context: DucklingContext<StoreFailure | 'passkey_assertion_invalid'>,
  credential: RegistrationCredential,
  name: string | undefined,
): Promise<PasskeyInput> {
  // Before the challenge is spent, so that the same credential can be sent again after a proof.
  await requireProof(db(), context)
  const { caller, now } = context
  const clientData = readClientData(credential.response.clientDataJSON)
  if (clientData === null) throw refusePasskey(context, 'malformed')
  const ceremony = { purpose: 'register', ducklingId: caller.id } as const
  if (!(await spendCeremony(now, ceremony, clientData.challenge))) throw refusePasskey(context, 'challenge')
  const verdict = await verifyRegistration(credential, clientData)
  if (typeof verdict === 'string') throw refusePasskey(context, verdict)
  return transaction((tx) => storePasskey(tx, context, verdict, credential.response.transports ?? [], name))
}

async function storePasskey(
  tx: Tx,
  context: DucklingContext<StoreFailure>,
  { credentialId, publicKey, counter, aaguid, backedUp, userVerified }: NewCredential,
  transports: string[],
  name: string | undefined,
): Promise<PasskeyInput> {
  const { caller, now } = context
  await lockName(tx, `passkeys:${caller.id}`)
  // Checked again, because another request may have added the first passkey. Then the proof must be with that passkey.
  await requireProof(tx, context)
  const count = await tx.passkey.count({ where: { ducklingId: caller.id } })
  if (count >= passkeysMax) throw context.fail('too_many_passkeys')
  const row = await unique(
    tx.passkey.create({
      data: {
        id: newId('passkey', now),
        ducklingId: caller.id,
        credentialId,
        publicKey,
        counter,
        transports,
        // A passkey without a name gets a number.
        name: name ?? `Passkey ${count + 1}`,
        aaguid,
        backedUp,
        userVerified,
        createdAt: now,
        sessionId: caller.sessionId,
      },
    }),
    context.fail('passkey_already_registered'),
  )
  record(tx, context, 'passkey.registered', {
    targets: [{ type: 'passkey', id: row.id }],
    metadata: {
      name: row.name,
      backed_up: backedUp,
      log_digest: enqueuePasskey(tx, 'passkey_enrolled', row),
    },
  })
  rememberChange(tx, context, 'passkey_added', row.name)
  enqueueNotice(tx, now, caller.id, 'passkey_added', {
    name: row.name,
    device: context.userAgent ?? '',
    at: now.toISOString(),
    session: caller.sessionId,
  })
  return presentPasskey(row)
}
