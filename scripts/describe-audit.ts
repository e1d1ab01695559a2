/** The texts that `audit:verify` prints. */

import type { Fault } from '@beak/client/verify/audit/chain'
import type { AuditReport } from '@beak/client/verify/audit/verify'
import { base64 } from '@beak/client/verify/bytes'
import type { LogReport } from '@beak/client/verify/log/verify-log'

function describeFault({ seq, eventId, message }: Fault): string {
  return seq === null ? `  - ${message}` : `  - event ${seq} (${eventId}): ${message}`
}

const countOf = (faults: readonly unknown[]) => (faults.length === 1 ? '1 fault' : `${faults.length} faults`)
const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** Describes the check of an export or a page. `heads` are the names of kept heads. */
export function describeAudit(report: AuditReport, heads: string[], hasOwnKeys: boolean): string {
  const { faults, head } = report
  if (faults.length > 0)
    return `${countOf(faults)} in ${report.events} events:\n${faults.map(describeFault).join('\n')}`
  const lines = [`${report.events} events of ${report.ducklingId}: every hash and every link is correct.`]
  if (head) {
    const signedAt = new Date(head.iat * 1000).toISOString()
    lines.push(`They end at the signed head: event ${head.seq}, hash ${head.hash},`)
    lines.push(`signed by ${head.iss} at ${signedAt} with the key ${head.kid}.`)
    if (!hasOwnKeys)
      lines.push(
        `The keys came from the file. To check them too, add --jwks ${head.iss}/.well-known/jwks.json`,
      )
  } else
    lines.push(
      'This is a part of a log without a signed head. The events before and after it are not checked.',
    )
  for (const name of heads) lines.push(`${name}: the log still contains the event of this head.`)
  return lines.join('\n')
}

const keySources: Record<LogReport['keySource'], string> = {
  given: 'You gave the keys of the log.',
  files: 'The keys of the log came from the files. Keys from another source are safer: --vkey.',
  log: 'The keys of the log came from the log itself. Keys that you kept are safer: --vkey.',
}

/** Describes the check of the transparency log. */
export function describeLog(report: LogReport, isQuick: boolean): string {
  const { newest, faults } = report
  if (faults.length > 0) {
    const lines = faults.map(({ message }) => `  - ${message}`)
    return `${countOf(faults)} in the transparency log:\n${lines.join('\n')}\n${keySources[report.keySource]}`
  }
  const lines: string[] = []
  if (newest) {
    const checked = isQuick ? 'its tiles give this root' : 'its entries and its tiles give this root'
    lines.push(
      `The transparency log ${newest.origin} has ${entries(newest.size)} and the root ${base64(newest.root)}: ${checked}.`,
    )
    for (const { name, size } of report.kept)
      lines.push(`${name}: the log still begins with the ${entries(size)} of this checkpoint.`)
  } else
    for (const { name, size } of report.kept) lines.push(`${name}: a signed checkpoint of ${entries(size)}.`)
  for (const { name, index, seq } of report.included)
    lines.push(`${name}: entry ${index} of the log ${seq === null ? 'exists' : `is event ${seq}`}.`)
  for (const { name, seq } of report.coverage)
    lines.push(
      seq === null
        ? `${name}: no entry is about this audit log. The account must be younger than the checkpoint.`
        : `${name}: its entries cover this audit log up to event ${seq}.`,
    )
  for (const { witness, time } of report.cosignatures)
    lines.push(`Cosigned by ${witness} at ${new Date(time * 1000).toISOString()}.`)
  lines.push(keySources[report.keySource])
  return lines.join('\n')
}
