/**
 * A passkey in software, in place of the person's phone: it answers as a browser with a real passkey does. Only for this example, because it asks
 * nobody before it signs.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  AssertionCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  RegistrationCredential,
} from '@beak/client'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const cbor = (pairs: [string | number, unknown][]) => Buffer.from(isoCBOR.encode(new Map(pairs) as never))
/** The person was present and verified. */
const verified = 0x05
const withNewKey = 0x40

/** Returns a passkey for the site at `origin`. */
export function softwarePasskey(origin: string) {
  const id = randomBytes(32)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const name = id.toString('base64url')
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (site: string, flags: number, rest = Buffer.alloc(0)) =>
    Buffer.concat([sha256(site), Buffer.of(flags, 0, 0, 0, 0), rest])
  const credential = { id: name, rawId: name, type: 'public-key', clientExtensionResults: {} } as const

  return {
    /** Answers `navigator.credentials.create()`. */
    create({ challenge, rp }: PasskeyCreationOptions): RegistrationCredential {
      const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
      // A COSE key: an Ed25519 key for EdDSA.
      const key = cbor([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, new Uint8Array(x)],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const attestation = cbor([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authenticatorData(rp.id, verified | withNewKey, attested))],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
        },
      }
    },

    /** Answers `navigator.credentials.get()`. */
    get({ challenge, rpId }: PasskeyRequestOptions): AssertionCredential {
      const data = authenticatorData(rpId, verified)
      const client = clientData('webauthn.get', challenge)
      const signature = sign(null, Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
