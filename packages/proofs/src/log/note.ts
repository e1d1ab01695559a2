/**
 * Signed notes (C2SP signed-note v1.0.0) and timestamped cosignatures (C2SP tlog-cosignature v1.0.1). A note is a text and signature lines.
 */
import { bytesOfBase64, bytesOfText, hex } from '../bytes'
import { isKeyName, type VerifierKey } from './verifier-key'

export interface SignatureLine {
  name: string
  id: string
  /** The bytes after the key id. */
  signature: Uint8Array<ArrayBuffer>
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

/** Returns the bytes that a cosignature signs. `time` is in seconds since 1970. */
export function cosignedBytes(text: string, time: number | bigint): Uint8Array<ArrayBuffer> {
  return bytesOfText(`cosignature/v1\ntime ${time}\n${text}`)
}

/** Reads a note without verifying its signatures. Returns null for a malformed note. */
export function parseNote(note: string): Note | null {
  const bytes = bytesOfText(note)
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
  const bytes = bytesOfBase64(encoded)
  if (bytes === null || bytes.length < 5 || !isKeyName(name)) return null
  return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) }
}

/**
 * Returns the valid signatures of the known keys. Returns null when there is none, or when one signature of a known key is not valid.
 * Ignores signatures of unknown keys, as the specification requires.
 */
export async function openNote(note: Note, known: readonly VerifierKey[]): Promise<GoodSignature[] | null> {
  const good: GoodSignature[] = []
  for (const line of note.signatures) {
    const key = known.find(({ name, id }) => name === line.name && id === line.id)
    if (key === undefined) continue
    const time = await verifySignature(note.text, line, key)
    if (time === false) return null
    good.push({ key, time })
  }
  return good.length > 0 ? good : null
}

/** Returns the time of a valid cosignature, null for a valid plain signature, and false for a signature that is not valid. */
async function verifySignature(
  text: string,
  { signature }: SignatureLine,
  { type, publicKey }: VerifierKey,
): Promise<number | null | false> {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  const verify = (bytes: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>) =>
    crypto.subtle.verify('Ed25519', key, bytes, signed)
  if (type === 'ed25519') return (await verify(signature, bytesOfText(text))) ? null : false
  if (signature.length !== 72) return false
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0)
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return false
  return (await verify(signature.subarray(8), cosignedBytes(text, time))) ? Number(time) : false
}
