/**
 * `npm run audit:verify -- export.json`: checks an audit log without asking the service. Exit code 0 when nothing is wrong,
 * else 1.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Fault } from '@/lib/audit/chain'
import { type AuditReport, type Keys, verifyAudit } from '@/lib/audit/verify'

const usage = `Usage: npm run audit:verify -- <file> [--jwks <file or URL>] [--duckling <DUCK-…>]

  <file>       an account export (GET /beak/account/export), or a page of GET /beak/audit
  --jwks       the service's public keys, /.well-known/jwks.json; without it, those in the export
  --duckling   whose log it is, where the file does not tell
`

async function readJson(place: string): Promise<unknown> {
  if (!/^https?:\/\//.test(place)) return JSON.parse(await readFile(place, 'utf8'))
  const response = await fetch(place, { signal: AbortSignal.timeout(15_000) })
  if (!response.ok) throw new Error(`${place} answered ${response.status}`)
  return response.json()
}

function describeFault({ seq, eventId, message }: Fault): string {
  return seq === null ? `  - ${message}` : `  - event ${seq} (${eventId}): ${message}`
}

function describe(report: AuditReport, ownKeys: boolean): string {
  if (report.faults.length > 0) {
    const count = report.faults.length === 1 ? '1 fault' : `${report.faults.length} faults`
    return `${count} in ${report.events} events:\n${report.faults.map(describeFault).join('\n')}`
  }
  const lines = [`${report.events} events of ${report.ducklingId}: every hash and every link is right.`]
  const { head } = report
  if (head) {
    const signedAt = new Date(head.iat * 1000).toISOString()
    lines.push(`They end at the signed head: event ${head.seq}, hash ${head.hash},`)
    lines.push(`signed by ${head.iss} at ${signedAt} with the key ${head.kid}.`)
    if (!ownKeys)
      lines.push(`The keys came with the file; to check them too: --jwks ${head.iss}/.well-known/jwks.json`)
  } else
    lines.push(
      'This is a part of a log, without a signed head: what comes before and after it is not checked.',
    )
  return lines.join('\n')
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { jwks: { type: 'string' }, duckling: { type: 'string' } },
  })
  const [place, ...others] = positionals
  if (place === undefined || others.length > 0) throw new Error(usage)
  const jwks = values.jwks === undefined ? undefined : ((await readJson(values.jwks)) as Keys)
  const report = await verifyAudit(await readJson(place), { jwks, ducklingId: values.duckling })
  const isSound = report.faults.length === 0
  ;(isSound ? process.stdout : process.stderr).write(`${describe(report, jwks !== undefined)}\n`)
  process.exit(isSound ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
