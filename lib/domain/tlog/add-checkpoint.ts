/** The body of `add-checkpoint` (C2SP tlog-witness v1.0.0): what a log sends to a witness. */

import { base64, bytesOfBase64 } from '@beak/client/verify/bytes'
import { parseSize } from '@beak/client/verify/log/checkpoint'
import { type Hash, hashLength } from '@beak/client/verify/log/merkle'
import { type Note, parseNote } from '@beak/client/verify/log/note'

/** The longest consistency proof: a tree has at most 2^63 entries. */
const proofLinesMax = 63

export interface AddCheckpoint {
  /** The size of the tree that the witness cosigned last; 0 for none. */
  oldSize: number
  /** The consistency proof from the old size; empty when the old size is 0. */
  proof: Hash[]
  /** The checkpoint and its signatures. */
  note: string
}

/** Returns the body of a request. */
export function formatAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  const lines = [`old ${oldSize}`, ...proof.map(base64), '', note]
  return lines.join('\n')
}

/** Reads the body of a request; the note is not verified. Returns null when the body is malformed. */
export function parseAddCheckpoint(body: Uint8Array): (AddCheckpoint & { parsed: Note }) | null {
  const text = decodeText(body)
  const border = text?.indexOf('\n\n') ?? -1
  if (text === null || border < 0) return null
  const [first = '', ...lines] = text.slice(0, border).split('\n')
  const oldSize = first.startsWith('old ') ? parseSize(first.slice('old '.length)) : null
  const proof = lines.map(bytesOfBase64).filter((hash) => hash?.length === hashLength)
  const note = text.slice(border + 2)
  const parsed = parseNote(note)
  if (oldSize === null || parsed === null) return null
  if (proof.length !== lines.length || lines.length > proofLinesMax) return null
  return { oldSize, proof: proof.filter((hash) => hash !== null), note, parsed }
}

/** Returns the text of UTF-8 bytes, or null when the bytes are not UTF-8. A byte order mark stays part of the text. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
