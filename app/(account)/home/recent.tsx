import Link from 'next/link'
import { api } from '@/app/_web/api'
import { eventSentence } from '@/app/_web/event-sentence'
import { PageProblem } from '@/app/_web/page-problem'
import type { Viewer } from '@/app/_web/viewer'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Words } from '../audit/event-item'

const readMost = 40
const shownMost = 6

/** Steps on the way to something else, which is told of itself, and comings and goings: only worth a line when refused. */
const everyday = ['code.requested', 'code.sent', 'session.started', 'session.ended', 'passkey.challenged']

/** Reads what happened last. Throws `PageProblem`. */
export async function readRecent(viewer: Viewer) {
  const result = await api('GET /beak/audit', { query: { limit: String(readMost), names: 'true' } })
  if (!result.ok) throw new PageProblem(result.problem)
  const items = result.data.items
    .filter(({ action, outcome }) => outcome === 'denied' || !everyday.includes(action))
    .slice(0, shownMost)
  return { items, reader: { id: viewer.duckling_id, names: result.data.names ?? {} } }
}

/** What happened last, in sentences; the whole of it is in the audit log. */
export function Recent({ recent, now }: { recent: Awaited<ReturnType<typeof readRecent>>; now: Date }) {
  const { items, reader } = recent
  if (items.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="recent">Lately</h2>
        <Link href="/audit" className="inline-flex min-h-6 items-center text-sm underline">
          Everything that happened
        </Link>
      </div>
      <ul className="mt-3 text-sm">
        {items.map((event) => (
          <li
            key={event.event_id}
            className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line py-3 first:border-t-0"
          >
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
              {eventSentence(event, reader).map((piece, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other order or name
                <Words key={n} piece={piece} />
              ))}
              . {event.outcome === 'denied' ? <Pill tone="bad">Refused</Pill> : null}
            </span>
            <span className="text-soft">
              <Time at={event.occurred_at} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
