/** The body of `add-checkpoint` (C2SP tlog-witness v1.0.0): what a log sends to a witness. */

import type { KeyObject } from 'node:crypto'
import { areEqual, base64, bytesOfBase64 } from '@beak/proofs/bytes'
import { type Checkpoint, parseCheckpoint, parseSize } from '@beak/proofs/log/checkpoint'
import { emptyRoot, type Hash, hashLength } from '@beak/proofs/log/merkle'
import { type Note, openNote, parseNote } from '@beak/proofs/log/note'
import type { VerifierKey } from '@beak/proofs/log/verifier-key'
import { verifyConsistency } from '@beak/proofs/log/verify-proof'
import { cosignNote } from './sign-note'

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
function parseAddCheckpoint(body: Uint8Array): (AddCheckpoint & { parsed: Note }) | null {
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

/**
 * A witness of transparency logs (C2SP tlog-witness v1.0.0). It cosigns a checkpoint only when the log proves that the tree it cosigned
 * before is the beginning of the new one. So two histories of one log never get the cosignatures of one witness.
 */

/** A request that a log signed and that contradicts what the witness has cosigned. */
export interface Evidence {
  /** `fork`: another root for the same size, so the log signed two histories. `unproven`: the proof is wrong, which may have other causes. */
  kind: 'fork' | 'unproven'
  checkpoint: Checkpoint
  /** The text that the log signed. */
  text: string
  body: Uint8Array
  /** The note that the witness had recorded. */
  recordedNote: string | null
}

/** Stores what a witness needs after a restart. */
export interface WitnessStore {
  /** Returns the note that was recorded last for a log, or null. Throws when the record is damaged. */
  readNote(origin: string): Promise<string | null>
  /** Resolves when the note would survive a power cut. */
  writeNote(origin: string, note: string): Promise<void>
  storeEvidence(evidence: Evidence, now: Date): Promise<void>
}

export interface Witness {
  key: VerifierKey
  privateKey: KeyObject
  /** The keys of the logs. The name of a key is the origin of its log. A log may have several keys. */
  logs: readonly VerifierKey[]
  store: WitnessStore
  /** Gets each checkpoint that the witness has cosigned, with its cosignature. Must not throw. */
  onCosigned?(origin: string, note: string): void
}

/** What the witness answers. The text of a refusal says why, for the operator of the log. */
export type Verdict =
  | { outcome: 'cosigned'; lines: string }
  | { outcome: 'wrong_old_size'; size: number }
  | { outcome: Refusal; why: string }

export type Refusal =
  | 'malformed'
  | 'unknown_origin'
  | 'untrusted_signature'
  | 'old_above_size'
  | 'another_root'
  | 'wrong_proof'

const refusals: Record<Refusal, string> = {
  malformed: 'The body must be an old size line, proof lines, an empty line and a signed checkpoint.',
  unknown_origin: 'This witness does not know a log of this origin.',
  untrusted_signature: 'No key that this witness knows for this log signed the checkpoint.',
  old_above_size: 'The old size is above the size of the checkpoint.',
  another_root: 'This witness has seen another root for this size: the log has two histories.',
  wrong_proof: 'The proof does not show that the tree this witness cosigned is the beginning of this one.',
}

const refuse = (outcome: Refusal): Verdict => ({ outcome, why: refusals[outcome] })

/** Returns the size and root that a witness has recorded for a log. Without a record, returns those of the empty tree. */
export async function readRecorded(store: WitnessStore, origin: string) {
  const note = await store.readNote(origin)
  if (note === null) return { note, size: 0, root: emptyRoot }
  const checkpoint = parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))
  // Starting again from nothing would let a forked log in, so a damaged record stops the witness.
  if (checkpoint?.origin !== origin)
    throw new Error(`The record of ${origin} is damaged. Restore it from a backup.`)
  return { note, size: checkpoint.size, root: checkpoint.root }
}

/** Returns a function that answers requests. It answers the requests for one log one after the other. */
export function startWitness(witness: Witness): (body: Uint8Array, now: Date) => Promise<Verdict> {
  const running = new Map<string, Promise<unknown>>()
  return async (body, now) => {
    const submission = await readSubmission(witness, body)
    if ('outcome' in submission) return submission
    const { origin } = submission.checkpoint
    // Checking the old size and writing the new one must not be interleaved with another submission.
    const before = running.get(origin) ?? Promise.resolve()
    const answering = before.then(() => answerSubmission(witness, submission, now))
    running.set(
      origin,
      answering.catch(() => undefined),
    )
    return answering
  }
}

interface Submission {
  oldSize: number
  proof: Hash[]
  checkpoint: Checkpoint
  note: string
  text: string
  body: Uint8Array
}

/** Reads a request and checks everything that does not depend on the record of the log. */
async function readSubmission({ logs }: Witness, body: Uint8Array): Promise<Submission | Verdict> {
  const parsed = parseAddCheckpoint(body)
  const checkpoint = parsed && parseCheckpoint(parsed.parsed.text)
  if (!parsed || !checkpoint) return refuse('malformed')
  const keys = logs.filter(({ name }) => name === checkpoint.origin)
  if (keys.length === 0) return refuse('unknown_origin')
  if ((await openNote(parsed.parsed, keys)) === null) return refuse('untrusted_signature')
  const { oldSize, proof, note } = parsed
  if (oldSize > checkpoint.size) return refuse('old_above_size')
  return { oldSize, proof, note, checkpoint, text: parsed.parsed.text, body }
}

/** Compares a request with the record of the log, and cosigns its checkpoint. */
async function answerSubmission(witness: Witness, submission: Submission, now: Date): Promise<Verdict> {
  const { store, key, privateKey } = witness
  const { oldSize, proof, checkpoint, text, body, note } = submission
  const recorded = await readRecorded(store, checkpoint.origin)
  const storeEvidence = (kind: Evidence['kind']) =>
    store.storeEvidence({ kind, checkpoint, text, body, recordedNote: recorded.note }, now)
  const isForked = checkpoint.size === recorded.size && !areEqual(checkpoint.root, recorded.root)
  // Stored even when the old size is wrong: two roots for one size prove the fork.
  if (isForked) await storeEvidence('fork')
  if (oldSize !== recorded.size) return { outcome: 'wrong_old_size', size: recorded.size }
  if (isForked) return refuse('another_root')
  if (!verifyConsistency(recorded, checkpoint, proof)) {
    await storeEvidence('unproven')
    return refuse('wrong_proof')
  }
  if (recorded.note === null || checkpoint.size > recorded.size)
    await store.writeNote(checkpoint.origin, note)
  const lines = cosignNote(text, key, privateKey, Math.floor(now.getTime() / 1000))
  witness.onCosigned?.(checkpoint.origin, `${note}${lines}`)
  return { outcome: 'cosigned', lines }
}
