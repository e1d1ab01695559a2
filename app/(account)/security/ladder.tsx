import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { reaches, type Tier } from '@/lib/kernel/context'

const rungs: { tier: Tier; name: string; opens: string }[] = [
  { tier: 'T0', name: 'Signed up', opens: 'Opens: a name, a duck, and agents that act for you.' },
  {
    tier: 'T1',
    name: 'E-mail confirmed',
    opens: 'Opens: a birth certificate, a place in the directory, and pecks to most ducklings.',
  },
  {
    tier: 'T2',
    name: 'Phone confirmed',
    opens: 'Opens: standing permissions, which hold until you revoke them.',
  },
  {
    tier: 'T3',
    name: 'Confirmed by passkey',
    opens: 'Opens: the highest mark on your certificate, and pecks to those who answer nobody below.',
  },
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
              <p className="mt-0.5 max-w-lg text-sm text-soft">{rung.opens}</p>
              {n === here + 1 && next ? <div className="mt-5 mb-2 max-w-md">{next}</div> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
