import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { reaches, type Tier } from '@/lib/kernel/context'

const rungs: { tier: Tier; name: string; what: string }[] = [
  { tier: 'T0', name: 'Signed up', what: 'You have a name and a duck.' },
  { tier: 'T1', name: 'E-mail confirmed', what: 'You can hold a birth certificate.' },
  { tier: 'T2', name: 'Phone confirmed', what: 'You can be asked for standing permissions.' },
  { tier: 'T3', name: 'Confirmed by passkey', what: 'As sure as it gets here.' },
]

/** The trust tiers as rungs; `next` is what leads to the one above, put where it belongs. */
export function Ladder({ tier, next }: { tier: Tier; next: ReactNode }) {
  const here = rungs.findIndex((rung) => rung.tier === tier)
  return (
    <ol className="grid">
      {rungs.map((rung, n) => {
        const isReached = reaches(tier, rung.tier)
        const isLast = n === rungs.length - 1
        return (
          <li
            key={rung.tier}
            aria-current={n === here ? 'step' : undefined}
            className="grid grid-cols-[2.75rem_minmax(0,1fr)] gap-x-4"
          >
            <div className="grid grid-rows-[auto_1fr] justify-items-center">
              <span
                className={`grid size-11 place-items-center rounded-full border font-mono text-sm font-semibold ${isReached ? 'border-good bg-good-wash text-good' : 'border-edge bg-surface text-soft'}`}
              >
                {rung.tier}
              </span>
              {isLast ? null : (
                <span className={`w-0.5 grow ${n < here ? 'bg-good' : 'bg-line'}`} aria-hidden="true" />
              )}
            </div>
            <div className={isLast ? '' : 'pb-7'}>
              <h3 className="flex flex-wrap items-center gap-x-2 pt-2 text-base">
                {rung.name}
                {isReached ? (
                  <>
                    <Check aria-hidden="true" size={18} className="text-good" />
                    <span className="visually-hidden">reached</span>
                  </>
                ) : null}
              </h3>
              <p className="mt-0.5 text-sm text-soft">{rung.what}</p>
              {n === here + 1 && next ? <div className="mt-4 max-w-md">{next}</div> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
