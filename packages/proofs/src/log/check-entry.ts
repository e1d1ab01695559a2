/** Checks the entry of a proof: it must belong to the event that it names, and the inclusion proof must lead to the root. */
import { base64, bytesOfText } from '../bytes'
import type { ComparedEvent } from './check-own-entries'
import type { Checkpoint } from './checkpoint'
import { chainHeadDigest, entryText } from './entry'
import type { LoggedHead, OwnEntry, ProofEntry, ProvenEntry } from './kept-proof'
import { type LogFault, logFault } from './log-fault'
import { type Hash, hashOfLeaf } from './merkle'
import { isIncluded } from './verify-proof'

/** The events of an account, from its export: proofs are compared with them. */
export interface OwnLog {
  ducklingId: string
  events: readonly (ComparedEvent & { hash: string })[]
  /** Whether `events` is a page and not the whole log. */
  isPart?: boolean
  /** Every entry that the log has of this chain, oldest first; null where the export does not list them. */
  heads?: readonly LoggedHead[] | null
  /** Every other entry that the log has of the owner; null where the export does not list them. */
  entries?: readonly OwnEntry[] | null
  /** When the checkpoint was signed that these lists go up to. */
  signedAt?: Date | null
}

export interface EntryCheck {
  faults: LogFault[]
  /** The hash that the log must have at the entry's index. */
  leafHash: Hash
}

/**
 * Checks an entry without reading the log: event, digest, bytes, leaf hash, and inclusion in the proof's own checkpoint. Messages call the proof
 * `name`.
 */
export function checkEntry(
  name: string,
  { entry, inclusion }: ProvenEntry,
  checkpoint: Checkpoint,
  own: OwnLog | null,
): EntryCheck {
  const data = entryText(entry.kind, entry.digest)
  const leafHash = hashOfLeaf(bytesOfText(data))
  const faults = [...findEventFaults(name, entry, own)]
  if (entry.data !== data || entry.leaf_hash !== base64(leafHash))
    faults.push(
      logFault(
        'entry',
        `${name}: the bytes and the leaf hash of entry ${entry.index} do not fit its digest.`,
      ),
    )
  if (!isIncluded(leafHash, entry.index, checkpoint, inclusion))
    faults.push(
      logFault(
        'inclusion',
        `${name}: the proof does not show that entry ${entry.index} is in the checkpoint of ${checkpoint.size} entries.`,
      ),
    )
  return { faults, leafHash }
}

/** Returns a fault when the digest of the entry differs from the digest of the event in the export. */
function findEventFaults(name: string, entry: ProofEntry, own: OwnLog | null): LogFault[] {
  const { index, duckling_id: ducklingId, seq } = entry
  if (own && own.ducklingId !== ducklingId)
    return [logFault('entry', `${name} is about the log of ${ducklingId}, not of ${own.ducklingId}.`)]
  // The digest of a passkey covers its public key. Only a receipt has this key, so it cannot be checked here.
  if (entry.kind !== 'chain_head') return []
  if (typeof seq !== 'number')
    return [logFault('entry', `${name} does not say which event entry ${index} stands for.`)]
  const event = own?.events.find((one) => one.seq === seq)
  if (own && !event)
    return [
      logFault(
        'truncated',
        `${name} shows that event ${seq} was in the log of ${ducklingId}, but ${whyMissing(name, seq, own)}`,
      ),
    ]
  const hash = event?.hash ?? entry.hash
  if (typeof hash !== 'string')
    return [
      logFault(
        'entry',
        `${name} does not say which hash event ${seq} has: the service could not find the event.`,
      ),
    ]
  if (entry.digest === chainHeadDigest({ ducklingId, seq, hash })) return []
  return [
    logFault(
      event ? 'rewritten' : 'entry',
      event
        ? `${name} shows that event ${seq} had another hash when it was entered in the transparency log (entry ${index}): the audit log was rewritten after that.`
        : `${name}: the digest of entry ${index} is not that of event ${seq} with the hash ${hash}.`,
    ),
  ]
}

/**
 * Returns the end of the sentence that says why the file lacks an event. Also a file that nobody changed can lack an event: when it is
 * only one page, or older than the proof.
 */
function whyMissing(name: string, seq: number, { events, isPart }: OwnLog): string {
  if (isPart === true) return 'this page does not hold the event. Check an export: an export has all events.'
  const last = events.reduce((most, event) => Math.max(most, event.seq), 0)
  return seq > last
    ? `the file ends at event ${last}: the latest events were removed, or the file is older than ${name}.`
    : 'the file does not hold this event: it was removed.'
}
