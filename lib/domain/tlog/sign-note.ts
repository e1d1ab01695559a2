/** Signs notes and makes cosignatures (C2SP signed-note, tlog-cosignature). `@beak/proofs/log/note` verifies them. */
import { type KeyObject, sign } from 'node:crypto'
import { cosignedBytes } from '@beak/proofs/log/note'
import type { VerifierKey } from '@beak/proofs/log/verifier-key'

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
