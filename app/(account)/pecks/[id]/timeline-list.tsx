import { Time } from '@/components/ui/time'
import type { PeckWithDetails } from '../_peck/reads'
import { type Moment, timeline } from './timeline'

/** The moments of a peck on a line. A future moment has a hollow dot. */
export function TimelineList({ now, ...peck }: PeckWithDetails & { now: Date }) {
  const moments = timeline(peck)
  return (
    <ol>
      {moments.map((moment, n) => (
        <TimelineItem key={moment.what} moment={moment} isLast={n === moments.length - 1} now={now} />
      ))}
    </ol>
  )
}

function TimelineItem({ moment, isLast, now }: { moment: Moment; isLast: boolean; now: Date }) {
  const { what, at, isAhead } = moment
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-4">
      <span className="grid grid-rows-[auto_1fr] justify-items-center" aria-hidden="true">
        <span
          className={`mt-1.5 size-3 rounded-full border-2 ${isAhead ? 'border-edge bg-ground' : 'border-good bg-good'}`}
        />
        {isLast ? null : <span className="w-0.5 grow bg-line" />}
      </span>
      <p className="pb-6 text-sm">
        <span className={isAhead ? 'text-soft' : 'font-semibold'}>{what}</span>
        {at === null ? null : (
          <span className="block text-soft">
            <Time at={at} now={now} />, <Time at={at} />
          </span>
        )}
      </p>
    </li>
  )
}
