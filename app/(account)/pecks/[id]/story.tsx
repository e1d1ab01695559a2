import { Time } from '@/components/ui/time'
import type { PeckWithDetails } from '../reads'
import { timeline } from '../timeline'

/** The moments of a peck on a line; hollow is what is still ahead. */
export function Story({ moments, now }: { moments: PeckWithDetails; now: Date }) {
  const line = timeline(moments)
  return (
    <ol>
      {line.map(({ what, at, isAhead }, n) => (
        <li key={what} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-4">
          <span className="grid grid-rows-[auto_1fr] justify-items-center" aria-hidden="true">
            <span
              className={`mt-1.5 size-3 rounded-full border-2 ${isAhead ? 'border-edge bg-ground' : 'border-good bg-good'}`}
            />
            {n === line.length - 1 ? null : <span className="w-0.5 grow bg-line" />}
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
      ))}
    </ol>
  )
}
