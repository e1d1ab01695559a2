import Link from 'next/link'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { Time } from '@/components/ui/time'
import type { Peck } from '../pecks/reads'
import { Parties } from '../pecks/row'
import { actionWords } from '../pecks/words'

/** The requests that have waited least, each one click from its answer: nobody decides without the whole of it in view. */
export function Waiting({
  pecks,
  more,
  viewerId,
  now,
}: {
  pecks: Peck[]
  more: boolean
  viewerId: string
  now: Date
}) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="visually-hidden">
        What waits for you
      </h2>
      <ul className="overflow-hidden rounded-card border border-line bg-surface shadow-card">
        {pecks.map((peck) => (
          <li key={peck.peck_id} className="border-t border-line first:border-t-0">
            <Link
              href={`/pecks/${peck.peck_id}`}
              className="group flex items-center gap-4 px-5 py-4 no-underline hover:bg-sunken sm:px-6"
            >
              <Duck id={peck.requester.agent_id ?? peck.requester.duckling_id} size={48} />
              <span className="min-w-0 flex-1">
                <span className="block font-display text-lg font-semibold wrap-anywhere group-hover:underline">
                  {actionWords(peck.action)}
                </span>
                <span className="block text-sm text-soft wrap-anywhere">
                  <Parties peck={peck} viewerId={viewerId} />
                </span>
              </span>
              <span className="text-end text-sm text-soft max-sm:hidden">
                runs out <Time at={peck.expires_at} now={now} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <ButtonLink href="/pecks" kind="primary" className="mt-5">
        {more ? 'Answer them all' : pecks.length === 1 ? 'Answer it' : 'Answer them'}
      </ButtonLink>
    </section>
  )
}
