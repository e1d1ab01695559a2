import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { Parties } from '../pecks/_peck/parties'
import type { Peck } from '../pecks/_peck/reads'
import { actionTitle } from '../pecks/_peck/words'

interface WaitingRequestsProps {
  pecks: Peck[]
  viewerId: string
  now: Date
}

/** The newest pending requests. Each links to its page, because a decision needs all its facts. */
export function WaitingRequests({ pecks, viewerId, now }: WaitingRequestsProps) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="visually-hidden">
        Waiting requests
      </h2>
      <ul className="overflow-hidden rounded-card border border-line bg-surface shadow-card">
        {pecks.map((peck) => (
          <WaitingRequest key={peck.peck_id} peck={peck} viewerId={viewerId} now={now} />
        ))}
      </ul>
      <ButtonLink href="/pecks" kind="primary" className="mt-5">
        Open inbox
      </ButtonLink>
    </section>
  )
}

function WaitingRequest({ peck, viewerId, now }: { peck: Peck; viewerId: string; now: Date }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        href={`/pecks/${peck.peck_id}`}
        className="group flex items-center gap-4 px-5 py-4 no-underline hover:bg-sunken sm:px-6"
      >
        <Duck id={peck.requester.agent_id ?? peck.requester.duckling_id} size={48} />
        <span className="min-w-0 flex-1">
          <span className="block font-display text-lg font-semibold wrap-anywhere group-hover:underline">
            {actionTitle(peck.action)}
          </span>
          <span className="block text-sm text-soft wrap-anywhere">
            <Parties peck={peck} viewerId={viewerId} />
          </span>
        </span>
        <span className="text-end text-sm text-soft max-sm:hidden">
          Expires <Time at={peck.expires_at} now={now} />
        </span>
      </Link>
    </li>
  )
}
