import { type RefusalCause, refusalCause } from './assertion'
import type { ClientData } from './client-data'
import { type RelyingParty, relyingParty } from './relying-party'
import type { RegistrationCredential } from './schema'

/** COSE numbers of ES256, which every authenticator supports, EdDSA, and RS256, which Windows Hello uses. */
export const algorithms = [-7, -8, -257]

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
