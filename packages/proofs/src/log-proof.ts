/** The offline check of a proof from the transparency log (`GET /beak/audit/proof`), with pinned keys of the log. */
import * as z from 'zod'
import { base64, bytesOfBase64 } from './bytes'
import { checkEntry, type OwnLog } from './log/check-entry'
import type { CheckpointStore } from './log/checkpoint-store'
import { type KeptProof, presentProof } from './log/kept-proof'
import type { LogFault } from './log/log-fault'
import { openCheckpoint, type SignedCheckpoint } from './log/open-checkpoint'
import { rememberGrowth, toRemember } from './log/remember'
import { verifyConsistency } from './log/verify-proof'
import { pinnedKeys } from './log-keys'
import { Refusal, type Verdict, verdictOf } from './token'

export interface LogProofOptions {
  /** Verifier keys of the log that you trust (`/.well-known/tlog/vkeys`). Get them once and keep them. */
  vkeys: readonly string[]
  /** A checkpoint that you kept: a signed note. The log must continue it, so ask for a proof with `first` set to its size. */
  kept?: string | undefined
  /** The events of the account. The proven entries must be about them. */
  own?: OwnLog | undefined
  /**
   * Where the newest checkpoint of the log is remembered. The checkpoint of the proof must not contradict it. It is remembered as proven when it
   * continues `kept` and the store has nothing else of this log. Otherwise only `verifyTransparencyLog` shows that the log continues everything.
   */
  checkpoints?: CheckpointStore | undefined
}

/** What a valid proof shows. */
export interface LogProofFacts {
  /** The name of the log. */
  origin: string
  /** The number of entries in the log. */
  size: number
  /** The root hash in base64. */
  root: string
  /** The signed checkpoint. Keep it: later proofs must continue it. */
  checkpoint: string
  /** The entries that the log has. */
  entries: { index: number; kind: string; digest: string; ducklingId: string; seq: number | null }[]
}

/** `truncated` and `rewritten`: the log contradicts the kept checkpoint. Keep both checkpoints then: their signatures prove it. */
export type LogProofReason = LogFault['kind'] | 'no_entry'

const Consistency = z.object({
  consistency: z.object({ first: z.int(), second: z.int(), proof: z.array(z.string()).max(64) }),
})

/**
 * Verifies the answer of `GET /beak/audit/proof` without the service: the signature of the checkpoint, that the entries are in its tree, and
 * with `kept` that the log only grew since that checkpoint. Throws `TypeError` for keys that are none.
 */
export function verifyLogProof(
  proof: unknown,
  options: LogProofOptions,
): Promise<Verdict<LogProofFacts, LogProofReason>> {
  return verdictOf(check(proof, options))
}

async function check(proof: unknown, options: LogProofOptions): Promise<LogProofFacts> {
  const { vkeys, kept, own, checkpoints } = options
  const keys = pinnedKeys(vkeys, 'ed25519')
  const open = async (note: string, name: string): Promise<SignedCheckpoint> => {
    const opened = await openCheckpoint(note, keys, name)
    if ('kind' in opened) throw new Refusal(opened.kind, opened.message)
    return opened
  }
  const presented = presentProof('The proof', proof)
  if (presented === null) throw new Refusal('malformed', 'This is not a proof of a transparency log.')
  const checkpoint = await open(presented.checkpoint, 'The checkpoint of the proof')
  const entries = provenEntries(presented, checkpoint, own ?? null)
  const older = kept === undefined ? null : await open(kept, 'The kept checkpoint')
  if (older !== null) checkGrowth(older, checkpoint, proof)
  // Without an entry and a kept checkpoint the proof proves nothing, which must not look like success.
  else if (entries.length === 0) throw new Refusal('no_entry', 'The proof has no entry of the log.')
  if (checkpoints !== undefined) {
    const newer = toRemember(checkpoint, presented.checkpoint, false)
    const first = older && toRemember(older, kept ?? '', false)
    const contradiction = await rememberGrowth(checkpoints, first, newer)
    if (contradiction !== null) throw new Refusal('rewritten', contradiction.message)
  }
  const { origin, size, root } = checkpoint
  return { origin, size, root: base64(root), checkpoint: presented.checkpoint, entries }
}

function provenEntries(
  { name, entries }: KeptProof,
  checkpoint: SignedCheckpoint,
  own: OwnLog | null,
): LogProofFacts['entries'] {
  return entries.map((proven) => {
    const [fault] = checkEntry(name, proven, checkpoint, own).faults
    if (fault) throw new Refusal(fault.kind, fault.message)
    const { index, kind, digest, duckling_id: ducklingId, seq = null } = proven.entry
    return { index, kind, digest, ducklingId, seq }
  })
}

/** Throws a `Refusal` unless the proof shows that the newer tree begins with the kept one. */
function checkGrowth(kept: SignedCheckpoint, newer: SignedCheckpoint, proof: unknown): void {
  if (kept.origin !== newer.origin)
    throw new Refusal('origin', `The kept checkpoint is of the log ${kept.origin}, not of ${newer.origin}.`)
  if (kept.size > newer.size)
    throw new Refusal('truncated', `The log had ${kept.size} entries and now has only ${newer.size}.`)
  const { data } = Consistency.safeParse(proof)
  const isAboutBoth = data?.consistency.first === kept.size && data.consistency.second === newer.size
  if (kept.size !== newer.size && kept.size !== 0 && !isAboutBoth)
    throw new Refusal('malformed', `The proof does not lead from ${kept.size} to ${newer.size} entries.`)
  const hashes = isAboutBoth ? data.consistency.proof.map(bytesOfBase64) : []
  if (
    hashes.includes(null) ||
    !verifyConsistency(
      kept,
      newer,
      hashes.filter((hash) => hash !== null),
    )
  )
    throw new Refusal('rewritten', 'The log does not continue the kept checkpoint, or the proof is wrong.')
}
