import { api } from '@/app/_web/api'
import { download, refuseDownload, sameOriginRoute } from '@/app/_web/download'
import { isMissing, type Problem } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { auditCsv } from './audit-csv'

const page = '/audit'

/**
 * Downloads the viewer's whole log, oldest first, as CSV or as the JSON that `beak audit verify` reads. Reads the signed head first
 * and ignores later events, so that the log ends at its signature.
 */
export const GET = sameOriginRoute(async (request) => {
  // Read before the head, so that the proof covers only events that are in the file. Missing until the log has a checkpoint.
  const log = await readProof()
  if ('problem' in log && !isMissing(log.problem)) return refuseDownload(request, log.problem, page)
  const head = await api('GET /beak/audit/head')
  if (!head.ok) return refuseDownload(request, head.problem, page)
  const read = await readUpTo(head.data.seq)
  if ('problem' in read) return refuseDownload(request, read.problem, page)
  const { events, names } = read
  if (new URL(request.url).searchParams.get('format') === 'csv') {
    return download(
      auditCsv(events, { id: head.data.duckling_id, names }),
      'beak-audit.csv',
      'text/csv; charset=utf-8',
    )
  }
  const keys = await api('GET /.well-known/jwks.json')
  if (!keys.ok) return refuseDownload(request, keys.problem, page)
  const audit = {
    events,
    head: head.data.head,
    jwks: { keys: keys.data.keys },
    log: 'problem' in log ? null : log,
  }
  return download(JSON.stringify({ audit }), 'beak-audit.json', 'application/json')
})

/** Returns the proof with all entries of the viewer, or the problem of the call that failed. */
async function readProof(): Promise<ResponseOf<'GET /beak/audit/proof'> | { problem: Problem }> {
  const query = { heads: 'true', entries: 'true' } as const
  const first = await api('GET /beak/audit/proof', { query })
  if (!first.ok) return { problem: first.problem }
  const entries = [...(first.data.own_entries ?? [])]
  let hasMore = first.data.has_more === true
  while (hasMore) {
    const before = String(entries.at(-1)?.index ?? 0)
    const next = await api('GET /beak/audit/proof', { query: { entries: 'true', before } })
    if (!next.ok) return { problem: next.problem }
    entries.push(...(next.data.own_entries ?? []))
    hasMore = next.data.has_more === true
  }
  return { ...first.data, own_entries: entries, has_more: false }
}

interface WholeLog {
  /** Oldest first. */
  events: ResponseOf<'GET /beak/audit'>['items']
  names: Record<string, string>
}

/** Returns the events up to a sequence number, or the problem of the call that failed. */
async function readUpTo(last: number): Promise<WholeLog | { problem: Problem }> {
  const events: WholeLog['events'] = []
  const names: WholeLog['names'] = {}
  let cursor: string | undefined
  do {
    const result = await api('GET /beak/audit', { query: { limit: '1000', cursor, names: 'true' } })
    if (!result.ok) return { problem: result.problem }
    events.push(...result.data.items.filter(({ seq }) => seq <= last))
    Object.assign(names, result.data.names)
    cursor = result.data.next_cursor ?? undefined
  } while (cursor !== undefined)
  return { events: events.reverse(), names }
}
