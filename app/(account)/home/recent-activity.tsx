import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { EventSentence } from '../audit/_events/event-sentence'
import type { readRecentActivity } from './reads'

interface RecentActivityProps {
  activity: Awaited<ReturnType<typeof readRecentActivity>>
  now: Date
}

/** The latest events of the audit log, in sentences. */
export function RecentActivity({ activity: { events, reader }, now }: RecentActivityProps) {
  if (events.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="recent">{m.home_recent_activity()}</h2>
        <Link href="/audit" className="inline-flex min-h-6 items-center text-sm underline">
          {m.home_view_all_activity()}
        </Link>
      </div>
      <ul className="mt-3 text-sm">
        {events.map((event) => (
          <li
            key={event.event_id}
            className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line py-3 first:border-t-0"
          >
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <EventSentence event={event} reader={reader} />{' '}
              {event.outcome === 'denied' ? <Pill tone="bad">{m.home_refused()}</Pill> : null}
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
