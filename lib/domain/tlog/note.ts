/**
 * Signed notes (C2SP signed-note v1.0.0) and timestamped cosignatures (C2SP tlog-cosignature v1.0.1). A note is a text and signature lines.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { decodeBase64, isKeyName, type VerifierKey } from '@/lib/kernel/verifier-key'

export interface SignatureLine {
  name: string
  id: string
  /** The bytes after the key id. */
  signature: Buffer
}

export interface Note {
  /** Ends in a newline. */
  text: string
  signatures: SignatureLine[]
}

/** A valid signature. A cosignature also has a time. */
export interface GoodSignature {
  key: VerifierKey
  /** Seconds since 1970 for a cosignature, null for a plain signature. */
  time: number | null
}

/** Notes with more signatures are rejected. The signed-note specification requires at least 16. A checkpoint has one for each witness. */
const signaturesMax = 64
/** Enough for 16 signatures of quantum-safe keys, which have almost 7 kB each in base64. */
export const noteBytesMax = 128 * 1024

function lineOf(name: string, id: string, signature: Uint8Array): string {
  return `\u2014 ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`
}

/** Returns the signature line of a key for a text that ends in a newline. */
export function signNote(text: string, key: VerifierKey, privateKey: KeyObject): string {
  return lineOf(key.name, key.id, sign(null, Buffer.from(text), privateKey))
}

/** Returns the line of a cosignature made at `time`, in seconds since 1970. */
export function cosignNote(text: string, key: VerifierKey, privateKey: KeyObject, time: number): string {
  const stamp = Buffer.alloc(8)
  stamp.writeBigUInt64BE(BigInt(time))
  const signature = sign(null, cosignedBytes(text, time), privateKey)
  return lineOf(key.name, key.id, Buffer.concat([stamp, signature]))
}

function cosignedBytes(text: string, time: number | bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
}

/** Reads a note without verifying its signatures. Returns null for a malformed note. */
export function parseNote(note: string): Note | null {
  const bytes = Buffer.from(note)
  if (bytes.length > noteBytesMax || bytes.some((byte) => byte < 0x20 && byte !== 0x0a)) return null
  const border = note.lastIndexOf('\n\n')
  if (border < 0 || !note.endsWith('\n')) return null
  const text = note.slice(0, border + 1)
  const signatures = note
    .slice(border + 2, -1)
    .split('\n')
    .map(parseSignatureLine)
  if (signatures.length > signaturesMax || signatures.includes(null)) return null
  return { text, signatures: signatures.filter((line) => line !== null) }
}

/** Reads a signature line without its newline. Returns null for a malformed line. */
export function parseSignatureLine(line: string): SignatureLine | null {
  const [, name = '', encoded = ''] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? []
  const bytes = decodeBase64(encoded)
  if (bytes === null || bytes.length < 5 || !isKeyName(name)) return null
  return { name, id: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) }
}

/**
 * Returns the valid signatures of the known keys. Returns null when there is none, or when one signature of a known key is not valid.
 * Ignores signatures of unknown keys, as the specification requires.
 */
export function openNote(note: Note, known: readonly VerifierKey[]): GoodSignature[] | null {
  const good: GoodSignature[] = []
  for (const line of note.signatures) {
    const key = known.find(({ name, id }) => name === line.name && id === line.id)
    if (key === undefined) continue
    const time = verifySignature(note.text, line, key)
    if (time === false) return null
    good.push({ key, time })
  }
  return good.length > 0 ? good : null
}

/** Returns the time of a valid cosignature, null for a valid plain signature, and false for a signature that is not valid. */
function verifySignature(
  text: string,
  { signature }: SignatureLine,
  key: VerifierKey,
): number | null | false {
  const publicKey = publicKeyOf(key.publicKey)
  if (key.type === 'ed25519') return verify(null, Buffer.from(text), publicKey, signature) ? null : false
  if (signature.length !== 72) return false
  const time = signature.readBigUInt64BE(0)
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return false
  return verify(null, cosignedBytes(text, time), publicKey, signature.subarray(8)) ? Number(time) : false
}

function publicKeyOf(bytes: Buffer): KeyObject {
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  })
}
