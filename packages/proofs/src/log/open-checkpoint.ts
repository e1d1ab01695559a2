/** Opens signed checkpoints. Finds out the log, the key that signed, and the witnesses that cosigned. */
import { base64 } from '../bytes'
import { type Checkpoint, parseCheckpoint } from './checkpoint'
import { type LogFault, logFault } from './log-fault'
import { type Note, openNote, parseNote } from './note'
import { isQuorumReached, type LogQuorum } from './quorum'
import type { VerifierKey } from './verifier-key'

/** A checkpoint that one of the log's keys has signed. */
export interface SignedCheckpoint extends Checkpoint {
  note: Note
  /** Eight hex digits: the id of the key that signed. */
  keyId: string
}

/**
 * Returns the checkpoint, or the fault that says why it cannot be trusted. Messages call the note `name`. The origin must be the name
 * of the key, as tlog-checkpoint requires.
 */
export async function openCheckpoint(
  text: string,
  keys: readonly VerifierKey[],
  name: string,
): Promise<SignedCheckpoint | LogFault> {
  const note = parseNote(text)
  const checkpoint = note === null ? null : parseCheckpoint(note.text)
  if (note === null || checkpoint === null)
    return logFault('malformed', `${name} is not a signed checkpoint (C2SP tlog-checkpoint).`)
  const good = (await openNote(note, keys))?.find(({ key }) => key.name === checkpoint.origin)
  if (good) return { ...checkpoint, note, keyId: good.key.id }
  const asked = keys.map((key) => `${key.name}+${key.id}`).join(', ') || 'no key'
  const signers = note.signatures.map((line) => `${line.name}+${line.id}`).join(', ')
  return logFault(
    'signature',
    `${name}: none of the log's keys (${asked}) signed it; the signatures are of ${signers}. Somebody else made or changed it, or the log has a new key: ask the service for its keys (<log>/vkeys) and name them (--vkey).`,
  )
}

/** A valid cosignature of a witness, and its time. */
export interface GoodCosignature {
  witness: string
  /** Seconds since 1970. */
  time: number
}

/** Returns the valid cosignatures of a note, one for each key of a witness, and a fault when there are fewer than `quorum` demands. */
export async function checkCosignatures(
  note: Note,
  witnesses: readonly VerifierKey[],
  quorum: number | LogQuorum,
): Promise<{ good: GoodCosignature[]; faults: LogFault[] }> {
  const good: (GoodCosignature & { key: VerifierKey })[] = []
  const missing: string[] = []
  // A cosignature does not cover the name, so one key under two names counts once.
  for (const key of new Map(witnesses.map((one) => [base64(one.publicKey), one])).values()) {
    const [cosignature] = (await openNote(note, [key])) ?? []
    if (cosignature?.time === null || cosignature === undefined) missing.push(key.name)
    else good.push({ witness: key.name, time: cosignature.time, key })
  }
  const found = good.map(({ witness, time }) => ({ witness, time }))
  const isEnough =
    typeof quorum === 'number'
      ? good.length >= quorum
      : isQuorumReached(
          quorum,
          good.map(({ key }) => key),
        )
  if (isEnough) return { good: found, faults: [] }
  const has =
    typeof quorum === 'number'
      ? `has ${good.length} of ${quorum} required cosignatures`
      : `has ${good.length} cosignatures, which do not reach the quorum ${quorum.name}`
  const message = `The newest checkpoint ${has}; it has no valid one of ${missing.join(', ')}. A new checkpoint gets its cosignatures within a minute: try again then. If they are still missing, a witness is down or has cosigned another log.`
  return { good: found, faults: [logFault('witness', message)] }
}
