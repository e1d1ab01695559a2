/**
 * The check of one's own log in the browser, by the very lines that `npm run audit:verify` runs: every hash, every link, and the
 * signature under the end. The service hands out the events; what it says of them is not believed.
 *
 * The head is read first, and what came after it is left for the next check: so a log that grows meanwhile is no fault.
 */
import type { Fault } from '@/lib/proofs/audit/chain'
import type { Keys } from '@/lib/proofs/audit/signed-head'
import { verifyAudit } from '@/lib/proofs/audit/verify'

interface Event {
  seq: number
  event_id: string
  occurred_at: string
  hash: string
}

interface Head {
  duckling_id: string
  seq: number
  hash: string
  signed_at: string
  head: string
}

/** The end of a log that somebody has seen: by it a log that was written anew and signed again is found out. */
export type SeenEnd = Pick<Head, 'seq' | 'hash' | 'signed_at'>

export interface Verdict {
  faults: Fault[]
  events: number
  /** When the first event happened. */
  since: string | null
  end: SeenEnd
  /** The key that signed the end. */
  kid: string | null
}

/** Gets a path's JSON. Throws a sentence for people. */
export type Fetch = (path: string) => Promise<unknown>

/** Reads the whole log, telling how far it is, and checks it. `seen`: an end known from earlier. */
export async function checkLog(
  fetchJson: Fetch,
  ducklingId: string,
  seen: SeenEnd | null,
  onProgress: (read: number, of: number) => void,
): Promise<Verdict> {
  const head = (await fetchJson('/api/audit/head')) as Head
  const jwks = (await fetchJson('/.well-known/jwks.json')) as Keys
  const events: Event[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = (await fetchJson(`/api/audit${cursor === '' ? '' : `?cursor=${cursor}`}`)) as {
      items: Event[]
      next_cursor: string | null
    }
    events.push(...page.items.filter(({ seq }) => seq <= head.seq))
    onProgress(events.length, head.seq)
    cursor = page.next_cursor
  }
  const report = await verifyAudit({ audit: { events, head: head.head, jwks } }, { ducklingId })
  return {
    faults: [...report.faults, ...findRewritten(events, head, seen)],
    events: events.length,
    since: events.at(-1)?.occurred_at ?? null,
    end: { seq: head.seq, hash: head.hash, signed_at: head.signed_at },
    kid: report.head?.kid ?? null,
  }
}

/** Whether the log still goes through the end that was seen. */
function findRewritten(events: Event[], head: Head, seen: SeenEnd | null): Fault[] {
  if (seen === null) return []
  const same = events.find(({ seq }) => seq === seen.seq)
  if (same?.hash === seen.hash) return []
  const message =
    head.seq < seen.seq
      ? `this browser has seen the log up to event ${seen.seq}: the latest events are gone`
      : 'it is not the event that this browser has seen there before: the log was written anew'
  return [{ kind: 'head', seq: same?.seq ?? null, eventId: same?.event_id ?? null, message }]
}
