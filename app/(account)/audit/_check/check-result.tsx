import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { BrowserTime } from '@/components/ui/browser-time'
import { Link } from '@/components/ui/link'
import type { Verdict } from './check-log'
import type { SeenEnd } from './seen-end'

const number = (value: number) => value.toLocaleString('en')

export function CheckResult({ verdict, seen }: { verdict: Verdict; seen: SeenEnd | null }) {
  return verdict.faults.length > 0 ? (
    <Failed faults={verdict.faults} />
  ) : (
    <Passed verdict={verdict} seen={seen} />
  )
}

const maxShownFaults = 20

function Failed({ faults }: Pick<Verdict, 'faults'>) {
  return (
    <div className="rounded-card bg-bad-wash p-5">
      <p className="flex items-center gap-3 font-display text-lg font-semibold text-bad">
        <ShieldAlert aria-hidden="true" size={24} className="shrink-0" />
        The log failed the check
      </p>
      <ul className="mt-3 grid gap-3 text-sm">
        {faults.slice(0, maxShownFaults).map((fault) => (
          <li key={`${fault.seq}-${fault.message}`} className="wrap-anywhere">
            {fault.seq === null ? null : (
              <p>
                <strong>Event {fault.seq}</strong> <span className="font-mono text-xs">{fault.eventId}</span>
              </p>
            )}
            {sentence(fault.message)}
          </li>
        ))}
      </ul>
      {faults.length > maxShownFaults ? (
        <p className="mt-2 text-sm">And {number(faults.length - maxShownFaults)} more.</p>
      ) : null}
      <p className="mt-3 text-sm">
        Download the log now and keep it as evidence. Then{' '}
        <Link href="/support" className="underline">
          contact support
        </Link>
        .
      </p>
    </div>
  )
}

function Passed({ verdict: { events, since, end, kid }, seen }: { verdict: Verdict; seen: SeenEnd | null }) {
  return (
    <div className="rounded-card bg-good-wash p-5">
      <p className="flex items-center gap-3 font-display text-lg font-semibold text-good">
        <ShieldCheck aria-hidden="true" size={24} className="shrink-0" />
        <span>
          {number(events)} {events === 1 ? 'event' : 'events'} intact
          {since ? (
            <>
              {' '}
              since <BrowserTime at={since} dateOnly />
            </>
          ) : null}
        </span>
      </p>
      <p className="mt-2 text-sm">
        Your browser recomputed every hash, checked every link between events, and verified our signature on
        the last event.{' '}
        {seen
          ? `The log still contains event ${number(seen.seq)}, the last one when you checked before.`
          : 'It remembers the last event, and the next check reports if the log was rewritten.'}
      </p>
      <p className="mt-3 text-xs text-soft wrap-anywhere">
        Last hash <span className="font-mono">{end.hash}</span>
        {kid ? (
          <>
            , signed with key <span className="font-mono">{kid}</span>
          </>
        ) : null}
      </p>
    </div>
  )
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`
