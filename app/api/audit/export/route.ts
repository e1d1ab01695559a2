import { api, type Problem } from '@/app/_web/api'
import { auditCsv } from '@/app/_web/audit-csv'
import { download, refuseDownload } from '@/app/_web/download'
import { forOwnPages } from '@/app/_web/own-pages'
import { namesIn } from '@/lib/domain/audit/names'
import type { AuditEventOutput } from '@/lib/domain/audit/schema'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'

const page = '/audit'

/**
 * The viewer's whole log, oldest first: as JSON in the form that `npm run audit:verify` reads, or as CSV. The head is read
 * first and what came after it left out, so that the log ends at its signature whatever happens meanwhile.
 */
export const GET = forOwnPages(async (request) => {
  // Read before the head, so that the proof covers no event that the file lacks.
  const log = await api('GET /beak/audit/proof', { query: { heads: 'true' } })
  const hasNoCheckpoint = !log.ok && log.problem.status === 404
  if (!log.ok && !hasNoCheckpoint) return refuseDownload(request, log.problem, page)
  const head = await api('GET /beak/audit/head')
  if (!head.ok) return refuseDownload(request, head.problem, page)
  const read = await readUpTo(head.data.seq)
  if ('problem' in read) return refuseDownload(request, read.problem, page)
  const { events } = read
  if (new URL(request.url).searchParams.get('format') === 'csv') {
    const reader = { id: head.data.duckling_id, names: await namesIn(events) }
    return download(auditCsv(events, reader), 'beak-audit.csv', 'text/csv; charset=utf-8')
  }
  const audit = { events, head: head.data.head, jwks: { keys: publicKeys() }, log: log.ok ? log.data : null }
  return download(JSON.stringify({ audit }), 'beak-audit.json', 'application/json')
})

async function readUpTo(last: number): Promise<{ events: AuditEventOutput[] } | { problem: Problem }> {
  const events: AuditEventOutput[] = []
  let cursor: string | undefined
  do {
    const result = await api('GET /beak/audit', { query: { limit: '1000', cursor } })
    if (!result.ok) return { problem: result.problem }
    events.push(...result.data.items.filter(({ seq }) => seq <= last))
    cursor = result.data.next_cursor ?? undefined
  } while (cursor !== undefined)
  return { events: events.reverse() }
}
