import { ShieldAlert, ShieldCheck } from 'lucide'
import { Sentence } from '@/components/sentence'
import { BrowserTime } from '@/components/ui/browser-time'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import type { Verdict } from './check-log'
import type { SeenEnd } from './seen-end'

const number = (value: number) => value.toLocaleString(readersLocale())

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
        <Icon of={ShieldAlert} size={24} className="shrink-0" />
        {m.audit_the_log_failed_the_check()}
      </p>
      <ul className="mt-3 grid gap-3 text-sm">
        {faults.slice(0, maxShownFaults).map((fault) => (
          <li key={`${fault.seq}-${fault.message}`} className="wrap-anywhere">
            {fault.seq === null ? null : (
              <p>
                <strong>{m.audit_event_seq({ seq: fault.seq })}</strong>{' '}
                <span className="font-mono text-xs">{fault.eventId}</span>
              </p>
            )}
            {sentence(fault.message)}
          </li>
        ))}
      </ul>
      {faults.length > maxShownFaults ? (
        <p className="mt-2 text-sm">
          {m.audit_and_number_more({ number: number(faults.length - maxShownFaults) })}
        </p>
      ) : null}
      <p className="mt-3 text-sm">
        <Sentence
          of={m.audit_download_log_now_keep_it_as}
          parts={{
            link: (children) => (
              <Link href="/support" className="underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    </div>
  )
}

function Passed({ verdict: { events, since, end, kid }, seen }: { verdict: Verdict; seen: SeenEnd | null }) {
  const hash = () => <span className="font-mono">{end.hash}</span>
  return (
    <div className="rounded-card bg-good-wash p-5">
      <p className="flex items-center gap-3 font-display text-lg font-semibold text-good">
        <Icon of={ShieldCheck} size={24} className="shrink-0" />
        <span>
          {since ? (
            <Sentence
              of={m.audit_events_intact_since}
              with={{ count: events, shown: number(events) }}
              parts={{ time: () => <BrowserTime at={since} dateOnly /> }}
            />
          ) : (
            m.audit_events_intact({ count: events, shown: number(events) })
          )}
        </span>
      </p>
      <p className="mt-2 text-sm">
        {seen
          ? m.audit_browser_recomputed_seen({ seq: number(seen.seq) })
          : m.audit_browser_recomputed_first()}
      </p>
      <p className="mt-3 text-xs text-soft wrap-anywhere">
        {kid ? (
          <Sentence
            of={m.audit_last_hash_signed}
            parts={{ hash, key: () => <span className="font-mono">{kid}</span> }}
          />
        ) : (
          <Sentence of={m.audit_last_hash} parts={{ hash }} />
        )}
      </p>
    </div>
  )
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`
