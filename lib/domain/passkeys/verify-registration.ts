import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { cose, decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import { type Cause, causeOf } from './assertion'
import type { ClientData } from './client-data'
import { relyingParty } from './relying-party'
import type { RegistrationCredential } from './schema'

/** ES256, which every authenticator has; EdDSA; RS256 for Windows Hello. */
export const algorithms = [cose.COSEALG.ES256, cose.COSEALG.EdDSA, cose.COSEALG.RS256]

export interface NewCredential {
  credentialId: string
  /** COSE key. */
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  aaguid: string
  backedUp: boolean
  userVerified: boolean
}

/**
 * The attestation object without its statement. We ask for none and would trust no vendor's word, so a statement sent all
 * the same is dropped unread: judging one can mean fetching revocation lists from addresses its sender chose.
 */
function withoutStatement(attestationObject: string): string {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const plain = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', decoded.get('authData')],
  ])
  return Buffer.from(isoCBOR.encode(plain)).toString('base64url')
}

/** Verifies a registration (WebAuthn Level 3, 7.1) over a challenge that has been spent. Gives the cause of a refusal. */
export async function verifyRegistration(
  { id, rawId, type, response }: RegistrationCredential,
  clientData: ClientData,
): Promise<Cause | NewCredential> {
  const { id: rpId, origin } = relyingParty()
  if (clientData.type !== 'webauthn.create') return 'type'
  if (clientData.origin !== origin || clientData.crossOrigin) return 'origin'
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: withoutStatement(response.attestationObject),
        },
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    // The id beside the attestation object is the browser's word, the one inside it the authenticator's.
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
    return causeOf(error)
  }
}
