import type { Fault } from './audit/chain'
import type { KeptHead } from './audit/signed-head'
import { type AuditReport, verifyAudit } from './audit/verify'
import { findHiddenHeads } from './log/check-heads'
import type { CheckpointStore } from './log/checkpoint-store'
import { presentProof } from './log/kept-proof'
import { noLogPart } from './log/log-fault'
import { verifyLog } from './log/verify-log'
import { pinnedKeys } from './log-keys'
import { keysOf, type VerifyOptions } from './token'

export interface AuditExportOptions extends Omit<VerifyOptions, 'now'> {
  /** The owner of the log that you expect. Default: the owner in the signed head. */
  ducklingId?: string | undefined
  /** Heads that you kept (`GET /beak/audit/head`). The log must contain the event of each head. */
  heads?: KeptHead[] | undefined
  /** Exports of the same account that you kept. The log must still contain their last event, and the event of their head. */
  exports?: KeptHead[] | undefined
  /** Verifier keys of the transparency log that you trust. Default: the keys in the file, which prove less. */
  vkeys?: readonly string[] | undefined
  /** Where the newest checkpoint of the log is remembered. The checkpoint in the export must not contradict it. Needs `vkeys`. */
  checkpoints?: CheckpointStore | undefined
}

export interface AuditExportReport extends AuditReport {
  /** True only when there is no fault. */
  ok: boolean
}

/**
 * Verifies the audit log in an account export (`GET /beak/account/export`): every hash and link of the chain, and that the issuer signed its
 * end, and the proof from the transparency log in the export. Finds changed, missing, repeated and reordered events, and entries that the
 * service leaves out. A log that the service itself rewrote and signed again is found only with a head or an export that you kept, or with
 * the whole transparency log (`verifyTransparencyLog`). Never throws because of the file. Throws `TypeError` for malformed keys.
 */
export async function verifyAuditExport(
  file: unknown,
  options: AuditExportOptions,
): Promise<AuditExportReport> {
  const { ducklingId, heads, exports, issuer, allowTest } = options
  const report = await verifyAudit(file, { jwks: keysOf(options), ducklingId, heads, exports, allowTest })
  const faults = [...report.faults, ...(await findLogPartFaults(report, options))]
  // The end of a page is not signed, so everything in a page could be made up.
  if (report.isPart) faults.push(fault('malformed', 'This is a page of an audit log, not an account export.'))
  if (report.head && report.head.iss !== issuer)
    faults.push(fault('head', `The head was signed by ${report.head.iss}, not by ${issuer}.`))
  return { ...report, faults, ok: faults.length === 0 }
}

/** Checks the part of the transparency log in an export. A missing part is a fault, unless a kept head says how the log was. */
async function findLogPartFaults(
  { ducklingId, isPart, chain: events, logProof }: AuditReport,
  { heads = [], vkeys = [], checkpoints }: AuditExportOptions,
): Promise<Fault[]> {
  if (pinnedKeys(vkeys, 'ed25519').length === 0 && checkpoints !== undefined)
    throw new TypeError('Checkpoints are remembered only with a key of the log (vkeys).')
  if (isPart || ducklingId === null) return []
  const proof = presentProof('The export', logProof)
  if (proof === null) return heads.length > 0 ? [] : [fault('log', noLogPart)]
  const own = {
    ducklingId,
    events,
    heads: proof.heads,
    entries: proof.ownEntries,
    signedAt: proof.signedAt,
  }
  const { faults } = await verifyLog({ proofs: [proof], readFile: null, vkeys, own, checkpoints })
  const hidden = findHiddenHeads(own)
  return [...(hidden ? [hidden] : []), ...faults].map(({ message }) => fault('log', message))
}

function fault(kind: Fault['kind'], message: string): Fault {
  return { kind, seq: null, eventId: null, message }
}
