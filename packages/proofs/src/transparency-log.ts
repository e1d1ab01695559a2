import type { Fetch } from './fetch-text'
import type { ReadLogFile } from './log/authenticated-tiles'
import type { OwnLog } from './log/check-entry'
import type { CheckpointStore } from './log/checkpoint-store'
import type { KeptProof } from './log/kept-proof'
import type { LogPolicy } from './log/policy-file'
import { remoteLog } from './log/remote-log'
import { type LogReport, verifyLog } from './log/verify-log'
import { pinnedKeys } from './log-keys'

export interface TransparencyLogOptions {
  /** The address of the log, such as `https://beak.example/.well-known/tlog`, or a function that reads its files. */
  log: string | ReadLogFile
  /** Verifier keys of the log that you trust. Get them once and keep them. Needed without `logPolicy`. */
  vkeys?: readonly string[] | undefined
  /** Checkpoints, proofs and exports that you kept (`readKeptProof`). The log must continue them. */
  kept?: readonly KeptProof[] | undefined
  /** The events of an account. Every entry that the log has of them must fit. */
  own?: OwnLog | undefined
  /** Verifier keys of witnesses, and how many of them must have cosigned the newest checkpoint. Default: all of them. */
  witnesses?: readonly string[] | undefined
  quorum?: number | undefined
  /** A log policy (`parseLogPolicy`), instead of `vkeys`, `witnesses` and `quorum`. */
  logPolicy?: LogPolicy | undefined
  /** Where the newest checkpoint is remembered. The log must continue the remembered ones, and so must everything in `kept`. */
  checkpoints?: CheckpointStore | undefined
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
 * was kept. Reads all tiles. Throws `TypeError` for keys that are none or beside a log policy, and an `Error` when the log cannot be read.
 */
export async function verifyTransparencyLog(options: TransparencyLogOptions): Promise<TransparencyLogReport> {
  const { log, kept = [], own = null, fetch, isQuick = false, onProgress, checkpoints } = options
  const { vkeys, witnesses, quorum } = trustOf(options)
  // Without pinned keys, the log would name the keys that are to check it.
  if (pinnedKeys(vkeys, 'ed25519').length === 0)
    throw new TypeError('A transparency log cannot be verified without one of its keys.')
  const report = await verifyLog({
    proofs: kept,
    readFile: typeof log === 'string' ? remoteLog(log, fetch) : log,
    vkeys,
    own,
    witnesses,
    quorum,
    checkpoints,
    isQuick,
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  return { ...report, ok: report.faults.length === 0 }
}

/** Returns the keys, from a log policy or from the lists. With `quorum none` the cosignatures are reported, and none is required. */
function trustOf({ vkeys = [], witnesses = [], quorum, logPolicy }: TransparencyLogOptions) {
  if (logPolicy === undefined) {
    const keys = pinnedKeys(witnesses, 'cosignature')
    return { vkeys, witnesses: keys, quorum: quorum ?? keys.length }
  }
  if (vkeys.length > 0 || witnesses.length > 0 || quorum !== undefined)
    throw new TypeError('Give either a log policy (logPolicy), or vkeys, witnesses and quorum.')
  const named = logPolicy.witnesses.map(({ vkey }) => vkey)
  return {
    vkeys: logPolicy.logs.map(({ vkey }) => vkey),
    witnesses: pinnedKeys(named, 'cosignature'),
    quorum: logPolicy.quorum ?? 0,
  }
}
