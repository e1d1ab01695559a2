/** Reads the three kinds of COSE key (RFC 9052, 9053, 8230) that passkeys here can have, without a library. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'

type Value = number | Buffer

interface Cursor {
  bytes: Buffer
  at: number
}

/** The length or number that follows a CBOR initial byte (RFC 8949, section 3). */
function readArgument(cursor: Cursor, short: number): number {
  if (short < 24) return short
  const size = { 24: 1, 25: 2, 26: 4 }[short]
  if (size === undefined) throw new Error('unsupported CBOR')
  const value = cursor.bytes.readUIntBE(cursor.at, size)
  cursor.at += size
  return value
}

function readValue(cursor: Cursor): Value {
  const first = cursor.bytes.readUInt8(cursor.at++)
  const argument = readArgument(cursor, first & 0x1f)
  const kind = first >> 5
  if (kind === 0) return argument
  if (kind === 1) return -1 - argument
  if (kind !== 2 || cursor.at + argument > cursor.bytes.length) throw new Error('unsupported CBOR')
  cursor.at += argument
  return cursor.bytes.subarray(cursor.at - argument, cursor.at)
}

/** A map of numbers to numbers and byte strings, and nothing behind it. */
function readMap(bytes: Buffer): Map<number, Value> {
  const cursor = { bytes, at: 1 }
  const first = bytes.readUInt8(0)
  if (first >> 5 !== 5) throw new Error('not a CBOR map')
  const map = new Map<number, Value>()
  for (let left = readArgument(cursor, first & 0x1f); left > 0; left--) {
    const label = readValue(cursor)
    if (typeof label !== 'number' || map.has(label)) throw new Error('not a COSE key')
    map.set(label, readValue(cursor))
  }
  if (cursor.at !== bytes.length) throw new Error('more than a COSE key')
  return map
}

function importKey(map: Map<number, Value>): { key: KeyObject; digest: 'sha256' | null } {
  const part = (label: number) => {
    const value = map.get(label)
    if (!Buffer.isBuffer(value)) throw new Error('not a COSE key')
    return value.toString('base64url')
  }
  const is = (...pairs: [number, number][]) => pairs.every(([label, value]) => map.get(label) === value)
  // kty 2 (EC2), ES256, P-256
  if (is([1, 2], [3, -7], [-1, 1])) {
    const jwk = { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) }
    return { key: createPublicKey({ key: jwk, format: 'jwk' }), digest: 'sha256' }
  }
  // kty 1 (OKP), EdDSA, Ed25519
  if (is([1, 1], [3, -8], [-1, 6])) {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: part(-2) }
    return { key: createPublicKey({ key: jwk, format: 'jwk' }), digest: null }
  }
  // kty 3 (RSA), RS256
  if (is([1, 3], [3, -257])) {
    const jwk = { kty: 'RSA', n: part(-1), e: part(-2) }
    return { key: createPublicKey({ key: jwk, format: 'jwk' }), digest: 'sha256' }
  }
  throw new Error('unknown kind of COSE key')
}

/** Whether the COSE key made that signature, in WebAuthn's forms: ES256 (DER), EdDSA or RS256. False for what is no such key. */
export function verifyCose(publicKey: Buffer, signed: Buffer, signature: Buffer): boolean {
  try {
    const { key, digest } = importKey(readMap(publicKey))
    return verify(digest, signed, key, signature)
  } catch {
    return false
  }
}
