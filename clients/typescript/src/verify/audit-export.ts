import type { Fault } from './audit/chain'
import type { KeptHead } from './audit/signed-head'
import { type AuditReport, verifyAudit } from './audit/verify'
import { keysOf, type VerifyOptions } from './token'

export interface AuditExportOptions extends Omit<VerifyOptions, 'now'> {
  /** The owner of the log that you expect. Default: the owner in the signed head. */
  ducklingId?: string | undefined
  /** Heads that you kept (`GET /beak/audit/head`). The log must contain the event of each head. */
  heads?: KeptHead[] | undefined
}

export interface AuditExportReport extends AuditReport {
  /** True only when there is no fault. */
  ok: boolean
}

/**
 * Verifies the audit log in an account export (`GET /beak/account/export`): every hash and link of the chain, and that the issuer signed its
 * end. Finds changed, missing, repeated and reordered events. A log that the service itself rewrote and signed again is found only with a
 * head that you kept, or with the transparency log (`verifyLog`). Never throws because of the file.
 */
export async function verifyAuditExport(
  file: unknown,
  options: AuditExportOptions,
): Promise<AuditExportReport> {
  const { ducklingId, heads, issuer } = options
  const report = await verifyAudit(file, { jwks: keysOf(options), ducklingId, heads })
  const faults = [...report.faults]
  // The end of a page is not signed, so everything in a page could be made up.
  if (report.isPart) faults.push(fault('malformed', 'This is a page of an audit log, not an account export.'))
  if (report.head && report.head.iss !== issuer)
    faults.push(fault('head', `The head was signed by ${report.head.iss}, not by ${issuer}.`))
  return { ...report, faults, ok: faults.length === 0 }
}

function fault(kind: Fault['kind'], message: string): Fault {
  return { kind, seq: null, eventId: null, message }
}
