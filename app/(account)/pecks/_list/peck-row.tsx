import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Parties } from '../_peck/parties'
import type { PeckWithDetails, ShownPeck } from '../_peck/reads'
import { badgesOf } from '../_peck/words'
import { RowFacts } from './row-facts'
import { ValuesLine } from './values-line'

interface PeckRowProps extends ShownPeck {
  viewerId: string
  now: Date
  /** The buttons for this peck. */
  actions?: ReactNode
}

/** A peck in a list, with a link to its page: what was asked, the values that decide, who asked, and the outcome. */
export function PeckRow({ viewerId, now, actions, ...request }: PeckRowProps) {
  const { peck, details, words } = request
  const isReceived = peck.target_duckling_id === viewerId
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-t-0 sm:flex-nowrap">
      <div className="flex min-w-0 max-w-full items-start gap-3 sm:flex-1">
        <Duck id={duckOf(peck, isReceived)} size={32} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              href={`/pecks/${peck.peck_id}`}
              className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
            >
              {words.title}
            </Link>
            <Badges peck={peck} />
          </p>
          <ValuesLine display={details.display} />
          <RowFacts {...request} now={now} parties={<Parties peck={peck} viewerId={viewerId} now={now} />} />
        </div>
      </div>
      {actions}
    </li>
  )
}

function Badges({ peck }: Pick<PeckWithDetails, 'peck'>) {
  return badgesOf(peck).map(({ label, tone }) => (
    <Pill key={label} tone={tone}>
      {label}
    </Pill>
  ))
}

/** Returns whose picture the row shows: the asker of a request that the viewer received, else the person who was asked. */
function duckOf({ requester, target_duckling_id }: PeckWithDetails['peck'], isReceived: boolean): string {
  return isReceived ? (requester.agent_id ?? requester.duckling_id) : target_duckling_id
}
