/** Verifies signatures with the three kinds of COSE key (RFC 9052, 9053, 8230) that passkeys have here. */
import { decodeCBOR } from '@levischuck/tiny-cbor'
import { type Bytes, base64url } from './bytes'

/** Reads a COSE key. Throws for other CBOR and for bytes behind it. */
function readMap(bytes: Bytes): Map<unknown, unknown> {
  // The decoder reads the whole buffer below an array, so the array gets its own buffer.
  const value = decodeCBOR(bytes.slice())
  if (!(value instanceof Map)) throw new Error('not a COSE key')
  return value
}

interface VerifyingKey {
  jwk: JsonWebKey
  importAs: EcKeyImportParams | RsaHashedImportParams | Algorithm
  verifyAs: EcdsaParams | Algorithm
  /** Converts a signature of WebAuthn to the form of Web Crypto. */
  signature: (signature: Bytes) => Bytes
}

function keyOf(map: Map<unknown, unknown>): VerifyingKey {
  const part = (label: number) => {
    const value = map.get(label)
    if (!(value instanceof Uint8Array)) throw new Error('not a COSE key')
    return base64url(value)
  }
  const is = (...pairs: [number, number][]) => pairs.every(([label, value]) => map.get(label) === value)
  const unchanged = (signature: Bytes) => signature
  // kty 2 (EC2), ES256, P-256
  if (is([1, 2], [3, -7], [-1, 1]))
    return {
      jwk: { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) },
      importAs: { name: 'ECDSA', namedCurve: 'P-256' },
      verifyAs: { name: 'ECDSA', hash: 'SHA-256' },
      signature: rawOfDer,
    }
  // kty 1 (OKP), EdDSA, Ed25519
  if (is([1, 1], [3, -8], [-1, 6]))
    return {
      jwk: { kty: 'OKP', crv: 'Ed25519', x: part(-2) },
      importAs: { name: 'Ed25519' },
      verifyAs: { name: 'Ed25519' },
      signature: unchanged,
    }
  // kty 3 (RSA), RS256
  if (is([1, 3], [3, -257]))
    return {
      jwk: { kty: 'RSA', n: part(-1), e: part(-2) },
      importAs: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      verifyAs: { name: 'RSASSA-PKCS1-v1_5' },
      signature: unchanged,
    }
  throw new Error('unknown kind of COSE key')
}

/** Converts an ECDSA signature from canonical DER (RFC 3279, 2.2.3; X.690, 8.3) to r and s of 32 bytes each. */
export function rawOfDer(der: Bytes): Bytes {
  const raw = new Uint8Array(64)
  let at = 2
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw new Error('not a DER signature')
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0
    const number = der.slice(at + 2, at + 2 + length)
    const [first = 0x80, second = 0] = number
    const isPadded = first === 0 && length > 1
    // Negative, with a superfluous zero, or truncated.
    if (der[at] !== 0x02 || number.length !== length || first >= 0x80 || (isPadded && second < 0x80))
      throw new Error('not a DER signature')
    const digits = isPadded ? number.slice(1) : number
    if (digits.length > 32) throw new Error('not a DER signature')
    raw.set(digits, end - digits.length)
    at += 2 + length
  }
  if (at !== der.length) throw new Error('more than a DER signature')
  return raw
}

/**
 * Verifies a signature of WebAuthn with a COSE key: ES256 (DER), EdDSA or RS256. Returns false for any other key. Throws only when the
 * browser does not support the algorithm.
 */
export async function verifyCose(publicKey: Bytes, signed: Bytes, signature: Bytes): Promise<boolean> {
  try {
    const { jwk, importAs, verifyAs, signature: formed } = keyOf(readMap(publicKey))
    const key = await crypto.subtle.importKey('jwk', jwk, importAs, false, ['verify'])
    return await crypto.subtle.verify(verifyAs, key, formed(signature), signed)
  } catch (error) {
    if (isUnsupported(error)) throw error
    return false
  }
}

/** Tells whether the browser or runtime lacks an algorithm. Then key and signature may be valid. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotSupportedError'
}
