/** Verifier keys (C2SP signed-note v1.0.0): the text form `name+id+key` of the public key of a log or a witness. */
import { sha256 } from '@noble/hashes/sha2.js'
import { base64, bytesOfBase64, bytesOfText, hex, joined } from '../bytes'

/** What a key signs: the text of a note, or a cosignature with a time. */
const signatureTypes = { ed25519: 1, cosignature: 4 } as const
export type SignatureType = keyof typeof signatureTypes

export interface VerifierKey {
  name: string
  /** Eight lower-case hex digits. */
  id: string
  type: SignatureType
  /** 32 bytes: the Ed25519 public key. */
  publicKey: Uint8Array<ArrayBuffer>
}

/** Tells whether a text can be the name of a key: without Unicode spaces and plus signs. */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{Z}\p{Cc}]+$/u.test(name)
}

/** Returns the verifier key of a public key. Throws for a name that a note cannot contain. */
export function verifierKey(name: string, type: SignatureType, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name))
    throw new Error(`"${name}" cannot be the name of a key: it has a space or a plus sign.`)
  if (publicKey.length !== 32) throw new Error('An Ed25519 public key has 32 bytes.')
  const hashed = joined(bytesOfText(`${name}\n`), typedKey(type, publicKey))
  return { name, id: hex(sha256(hashed).subarray(0, 4)), type, publicKey: joined(publicKey) }
}

function typedKey(type: SignatureType, publicKey: Uint8Array): Uint8Array {
  return joined(Uint8Array.of(signatureTypes[type]), publicKey)
}

export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${base64(typedKey(type, publicKey))}`
}

/** Parses a verifier key. Returns null for other text, and when the id does not belong to the key. */
export function parseVerifierKey(text: string): VerifierKey | null {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const bytes = bytesOfBase64(encoded)
  if (bytes === null || bytes.length !== 33 || !isKeyName(name)) return null
  const type = (Object.keys(signatureTypes) as SignatureType[]).find(
    (one) => signatureTypes[one] === bytes[0],
  )
  if (type === undefined) return null
  const key = verifierKey(name, type, bytes.subarray(1))
  return key.id === id ? key : null
}
