/**
 * Checks the viewer's log in the browser, with the code of `beak audit verify`: every hash, every link and the signature of the head.
 * Only the events come from the service. The check does not rely on its word.
 *
 * Reads the signed head first and ignores later events, so events added during the check are not reported as errors.
 */
import type { Fault } from '@beak/proofs/audit/chain'
import { verifyAudit } from '@beak/proofs/audit/verify'
import type { KeySet } from '@beak/proofs/keys'
import { m } from '@/lib/kernel/messages'
import type { SeenEnd } from './seen-end'

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

export interface Verdict {
  faults: Fault[]
  events: number
  /** The time of the first event. */
  since: string | null
  end: SeenEnd
  /** The ID of the key that signed the head. */
  kid: string | null
}

/** Returns the JSON of a path. Throws an `Error` whose message people can read. */
export type Fetch = (path: string) => Promise<unknown>

/** Reads the whole log and checks it. `seen`: the end that this browser saw before. */
export async function checkLog(
  fetchJson: Fetch,
  ducklingId: string,
  seen: SeenEnd | null,
  onProgress: (read: number, of: number) => void,
): Promise<Verdict> {
  const head = (await fetchJson('/api/audit/head')) as Head
  const jwks = (await fetchJson('/.well-known/jwks.json')) as KeySet
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

/** Returns a fault unless the log still contains the end that this browser saw. */
function findRewritten(events: Event[], head: Head, seen: SeenEnd | null): Fault[] {
  if (seen === null) return []
  const found = events.find(({ seq }) => seq === seen.seq)
  if (found?.hash === seen.hash) return []
  const message =
    head.seq < seen.seq ? m.audit_latest_events_missing({ seq: seen.seq }) : m.audit_log_was_rewritten()
  return [{ kind: 'head', seq: found?.seq ?? null, eventId: found?.event_id ?? null, message }]
}
