import { visible } from '@beak/decision/visible'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { PeckDetails, PeckWithDetails } from './reads'

type Use = PeckDetails['last_uses'][number]

/** What a permission was used for: how often, and its newest uses with the service that each was for. */
export function UsedFor({ peck, details, now }: PeckWithDetails & { now: Date }) {
  const { uses, last_used_at, audience } = peck
  const listed = details.last_uses
  const left = uses - listed.length
  return (
    <div className="text-sm text-soft wrap-anywhere">
      <p>
        {listed.length === 0 && uses > 0 && last_used_at !== null ? (
          <Sentence
            of={m.requests_used_times_last_sentence}
            with={{ count: uses }}
            parts={{ time: () => <Time at={last_used_at} now={now} /> }}
          />
        ) : uses === 0 ? (
          m.requests_not_used_yet_sentence()
        ) : (
          m.requests_used_times_sentence({ count: uses })
        )}
        {audience === undefined ? null : (
          <>
            {' '}
            <Sentence of={m.requests_for_service_sentence} with={{ audience: visible(audience) }} />
          </>
        )}
      </p>
      {listed.length === 0 ? null : (
        <ul className="list-disc ps-5">
          {listed.map((use) => (
            <UseLine key={use.number} use={use} now={now} />
          ))}
          {left > 0 ? (
            <li>
              <Link href={`/pecks/${peck.peck_id}#uses`} className="underline">
                {m.requests_earlier_uses({ count: left, shown: left.toLocaleString(readersLocale()) })}
              </Link>
            </li>
          ) : null}
        </ul>
      )}
    </div>
  )
}

/** A use: when, and the service that named itself. */
export function UseLine({ use: { used_at, audience }, now }: { use: Use; now: Date }) {
  const time = () => <Time at={used_at} now={now} />
  return (
    <li>
      {audience === null ? (
        <Sentence of={m.requests_used_by_unnamed} parts={{ time }} />
      ) : (
        <Sentence of={m.requests_used_at} with={{ audience: visible(audience) }} parts={{ time }} />
      )}
    </li>
  )
}
