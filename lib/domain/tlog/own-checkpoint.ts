/** Checkpoints of this log that came back from outside: from a mirror, a witness or an owner. */
import { type Checkpoint, parseCheckpoint } from '@beak/client/verify/log/checkpoint'
import { openNote, parseNote } from '@beak/client/verify/log/note'
import type { VerifierKey } from '@beak/client/verify/log/verifier-key'
import { logPublicKeys } from '@/lib/infrastructure/keys/log-keys'
import { config } from '@/lib/kernel/config'
import { logVerifierKey } from './origin'

/** Thrown when the log cannot be continued as asked. Nothing was changed. The message is for the operator. */
export class ContinueRefused extends Error {
  override readonly name = 'ContinueRefused'
}

/** A checkpoint that a trusted key of this log has signed. */
export interface OwnCheckpoint extends Checkpoint {
  /** The text with the signature of the log, without cosignatures. */
  note: string
  kid: string
  /** The note as it was given, with cosignatures. */
  fullNote: string
  /** The text that is signed. */
  text: string
  cosignatures: { witness: string; line: string }[]
}

/** Reads a note as a checkpoint of the log with this name. `what` names the note in messages. Throws `ContinueRefused`. */
export async function readOwnCheckpoint(note: string, origin: string, what: string): Promise<OwnCheckpoint> {
  const parsed = parseNote(note)
  const checkpoint = parsed && parseCheckpoint(parsed.text)
  if (!parsed || !checkpoint) throw new ContinueRefused(`${what} is not a signed checkpoint.`)
  if (checkpoint.origin !== origin)
    throw new ContinueRefused(
      `${what} belongs to the log ${checkpoint.origin}. The log of this service is ${origin}.`,
    )
  const keys = (await logPublicKeys()).map(({ kid, x }) => ({ kid, key: logVerifierKey(origin, x) }))
  const lines = note.slice(parsed.text.length + 1).split('\n')
  const signers = await signersOf(
    parsed,
    keys.map(({ key }) => key),
  )
  const signer = keys.find(({ key }) => signers.includes(key))
  if (signer === undefined)
    throw new ContinueRefused(
      `${what} has no good signature of a key that this service has and trusts. The command list-keys shows the keys. When the backup is older than the key that signed, use log continue --new.`,
    )
  const lineOf = ({ name, id }: VerifierKey) =>
    lines[parsed.signatures.findIndex((line) => line.name === name && line.id === id)] ?? ''
  const { tlogWitnesses } = config()
  const witnesses = await signersOf(
    parsed,
    tlogWitnesses.map(({ key }) => key),
  )
  return {
    ...checkpoint,
    text: parsed.text,
    fullNote: note,
    note: `${parsed.text}\n${lineOf(signer.key)}\n`,
    kid: signer.kid,
    cosignatures: tlogWitnesses
      .filter(({ key }) => witnesses.includes(key))
      .map(({ vkey, key }) => ({ witness: vkey, line: lineOf(key) })),
  }
}

/** Returns the keys with a good signature. A wrong signature of one key does not hide those of others. */
async function signersOf(
  note: NonNullable<ReturnType<typeof parseNote>>,
  keys: VerifierKey[],
): Promise<VerifierKey[]> {
  const good: VerifierKey[] = []
  for (const key of keys) if ((await openNote(note, [key])) !== null) good.push(key)
  return good
}
