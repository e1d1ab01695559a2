import type { Fetch } from '../options'
import type { ReadLogFile } from './log/authenticated-tiles'
import type { OwnLog } from './log/check-entry'
import type { KeptProof } from './log/kept-proof'
import { remoteLog } from './log/remote-log'
import { type LogReport, verifyLog } from './log/verify-log'
import { pinnedKeys } from './log-keys'

export interface TransparencyLogOptions {
  /** The address of the log, such as `https://beak.example/.well-known/tlog`, or a function that reads its files. */
  log: string | ReadLogFile
  /** Verifier keys of the log that you trust. Get them once and keep them. */
  vkeys: readonly string[]
  /** Checkpoints, proofs and exports that you kept (`readKeptProof`). The log must continue them. */
  kept?: readonly KeptProof[] | undefined
  /** The events of an account. Every entry that the log has of them must fit. */
  own?: OwnLog | undefined
  /** Verifier keys of witnesses, and how many of them must have cosigned the newest checkpoint. Default: all of them. */
  witnesses?: readonly string[] | undefined
  quorum?: number | undefined
  /** Skips the entries, and the hashes that no kept proof needs. */
  isQuick?: boolean | undefined
  onProgress?: ((checked: number, of: number) => void) | undefined
  fetch?: Fetch | undefined
}

export interface TransparencyLogReport extends LogReport {
  /** True only when there is no fault. */
  ok: boolean
}

/**
 * Verifies a whole transparency log: the signature of its newest checkpoint, every hash and entry, and that the log continues everything that
 * was kept. Reads all tiles. Throws `TypeError` for keys that are none, and an `Error` when the log cannot be read.
 */
export async function verifyTransparencyLog(options: TransparencyLogOptions): Promise<TransparencyLogReport> {
  const { log, vkeys, kept = [], own = null, fetch, quorum, isQuick = false, onProgress } = options
  // Without pinned keys, the log would name the keys that are to check it.
  if (pinnedKeys(vkeys, 'ed25519').length === 0)
    throw new TypeError('A transparency log cannot be verified without one of its keys.')
  const witnesses = pinnedKeys(options.witnesses ?? [], 'cosignature')
  const report = await verifyLog({
    proofs: kept,
    readFile: typeof log === 'string' ? remoteLog(log, fetch) : log,
    vkeys,
    own,
    witnesses,
    quorum: quorum ?? witnesses.length,
    isQuick,
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  return { ...report, ok: report.faults.length === 0 }
}
